// SPDX-License-Identifier: Apache-2.0
// request.h: what a gate can be asked.
#pragma once

#include <string>
#include <vector>

#include "perfgate/gate/arm_settings.h"
#include "perfgate/gate/commands.h"
#include "perfgate/gate/exits.h"
#include "perfgate/gate/hot_code.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

// For a baseline that is a store.
struct StoreRequest {
  std::string cache = ".cache/perfgate/executables";  // executables of accepted states
  std::string trusted;  // git revision that policy and store are read from; empty: as they lie here
  bool numbers = false;  // compare recorded numbers even where the executable is at hand
  int sessions = 3;      // of the candidate, when only numbers are compared
  double session_gap_s = 30;
};

// What a verdict rests on beside the measurement. The key is in MeasureRequest.
struct RootsRequest {
  std::string repository{};    // of the change; empty: as git knows it
  std::string change{};        // pull request or branch; empty: none is named
  std::string ledger_head{};   // hash of a line that the ledger must have; empty: none
  std::string trusted_name{};  // StoreRequest::trusted as it was typed; filled by RunGate
};

struct GateRequest {
  // An executable, a store (a folder or git:REV:FOLDER) or a file of results.
  std::string baseline;
  // An executable, or a file of results where the baseline is one.
  std::string candidate;
  // How each arm is run, and which cases are compared. Arms that differ in these may be one
  // executable.
  ArmSettings baseline_arm;
  ArmSettings candidate_arm;
  CasePairs cases;
  CommandRequest command;         // then baseline and candidate are command lines
  bool expect_different = false;  // alternatives: a slower one is said to be and fails nothing
  MeasureRequest measure;
  bool aa = false;                 // one executable against itself is meant, and measured
  bool bootstrap = false;          // pass when every case is new
  std::string ledger;              // folder of attempts; empty: none is kept
  std::string metrics;             // files of other tools: file that adds metrics
  std::vector<std::string> allow;  // reasons that recorded evidence is compared in spite of
  HotCodeUse hot_code = HotCodeUse::kNamed;
  Suspicion suspected = Suspicion::kFails;
  StoreRequest store;
  RootsRequest roots{};
};

}  // namespace perfgate::gate
