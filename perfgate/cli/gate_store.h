// SPDX-License-Identifier: Apache-2.0
// gate_store.h: `perfgate gate --baseline STORE`: against the accepted state that a store records.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/store/baseline_store.h"

namespace perfgate::cli {

struct StoreGateOptions {
  std::string cache;
  std::string trusted;
  int sessions = 3;
  std::string gap = "30s";
  bool numbers = false;
  std::vector<std::string> allow;
};

void add_store_options(CLI::App& app, StoreGateOptions& options);

// Every reason that --allow can override.
std::vector<std::string> all_reasons();

// What the store says of this machine: the baseline, the policy that judges, and the executable of
// the accepted state where the cache has it (its digest checked against the baseline's).
struct StoreBase {
  store::Baseline baseline;
  Policy policy;
  std::optional<std::string> executable;
  std::string why_not;  // when there is no executable: what to do to get one
};

// With options.trusted, store and policy come from that revision, and what the command line says
// may only tighten: Error(kUsage) where it would accept more.
StoreBase open_store(const std::string& name, const StoreGateOptions& options,
                     const MeasureOptions& measure);

// Measures the candidate in sessions of its own and compares the numbers.
SuiteVerdict gate_on_numbers(const StoreBase& base, const std::string& candidate,
                             const StoreGateOptions& options, const MeasureOptions& measure);

}  // namespace perfgate::cli
