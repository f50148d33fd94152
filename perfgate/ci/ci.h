// SPDX-License-Identifier: Apache-2.0
// ci.h: from a repository to a verdict on its change: finds the base, builds both, gates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/ci/build.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/gate/display.h"
#include "perfgate/gate/request.h"

namespace perfgate::ci {

inline constexpr const char* kDataWord = "{data}";

struct CiRequest {
  std::string repo = ".";  // a folder of the repository
  std::string base{};      // revision; empty: chosen (revisions.h)
  std::string target{};    // branch that the change goes to; empty: the default branch
  std::string head{};      // revision; empty: the working tree as it is
  std::string trusted{};   // revision of policy and accept file; empty: the base
  std::string policy{};    // files at that revision, from the top of the repository
  std::string accept{};
  std::string suite_from{};  // full commit id that benchmarks and build files are taken from
  std::vector<std::string> libraries{};  // with it: folders that stay the change's own
  // Folders and files of the trusted revision that both arms may read, from its top. kDataWord in
  // an argument or a variable of the arms is the folder that they lie in.
  std::vector<std::string> data{};
  std::string output = "perfgate-ci";  // folder of builds and results
  bool fresh = false;                  // build the base again
  BuildPlan build{};
  gate::GateRequest gate{};  // arms, policy file and session are filled in
};

struct CiResult {
  Exit exit = Exit::kInternal;
  std::string base{};  // "1a2b3c4d5e6f, merge base with main"; empty: none
  // Of a gate that took place.
  std::optional<SuiteVerdict> verdict{};
  // Of one that did not: why, the log's lines, and the cases of a suite that the base lacks.
  std::string trouble{};
  std::vector<std::string> log{};
  std::vector<std::string> new_cases{};
};

// Error(kUsage) and Error(kData) as the functions of this room; what RunGate throws.
CiResult RunCi(const CiRequest& request, gate::GateDisplay& display);

}  // namespace perfgate::ci
