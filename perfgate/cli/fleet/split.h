// SPDX-License-Identifier: Apache-2.0
// split.h: perfgate plan --split: a suite cut into jobs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "perfgate/cli/options/options.h"

namespace perfgate::cli {

struct SplitOptions {
  int jobs = 0;  // 0: no --split
  std::string baseline;
  std::string candidate;
  std::string output;
};

// --split and what only goes with it; filter, rounds, slice, pairs and suite go to `measure`.
void AddSplitOptions(CLI::App& app, SplitOptions& options, MeasureOptions& measure);

// Writes the plan and says what each job holds. times: a calibration or session file that says how
// long cases take, empty for none. Error(kUsage) and the errors of gate::PlanFleet.
Exit SplitSuite(const SplitOptions& options, const MeasureOptions& measure,
                const std::string& times);

}  // namespace perfgate::cli
