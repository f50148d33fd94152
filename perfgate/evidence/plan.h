// SPDX-License-Identifier: Apache-2.0
// plan.h: what a gate on a suite would cost and could resolve, predicted from a calibration.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/evidence/metrics/metric.h"
#include "perfgate/evidence/policy.h"

namespace perfgate::inline evidence {

// One gated case and metric. Shares are of gates that were resampled from the recorded rounds.
struct PlannedColumn {
  std::string case_name;
  Metric metric;
  double value = std::numeric_limits<double>::quiet_NaN();  // in the unit; NaN: not known
  double tolerance = 0;
  double round_sd = 0;
  bool resolved = false;  // passes unchanged, and fails at the slowdown, with the power asked for
  std::optional<int> rounds_to_pass;  // closed form, unchanged code; absent: never
  std::optional<int> rounds_to_fail;  // closed form, at the slowdown; absent: never or not asked
  double pass_share = 0;              // of unchanged gates in which it passes
  double pass_rounds = 0;             // mean rounds of it in those gates, decided or not
  std::optional<double> fail_share;   // of gates with the slowdown in it; absent: not asked
  std::optional<double> fail_rounds;
  std::optional<double> detectable;  // slowdown found at the last look with the power asked for
  std::optional<double> supported_tolerance;  // smallest that it passes with; where it does not
  std::string reason;                         // why it is not resolved, and what would help
};

struct SuitePlan {
  std::string session_id;  // of the calibration
  std::string tool;
  std::string started;  // of the calibration
  std::string suite;
  int recorded_rounds = 0;
  Policy policy;  // in force, with what the command line changed
  double power = 0.8;
  double slowdown = 0;  // fraction, beyond which a case should fail
  std::vector<int> looks;
  std::vector<double> look_alpha;
  int gates = 0;          // resampled
  double pass_share = 0;  // of unchanged suites: every case passes
  double false_fail_share = 0;
  double rounds = 0;       // mean rounds of an unchanged suite
  double wall_s = 0;       // mean wall time of one, calibrating iterations included
  double wall_long_s = 0;  // 90 % of them take no longer
  Exit exit = Exit::kInternal;
  std::string summary;
  std::vector<PlannedColumn> columns;  // worst first
  std::vector<CaseRule> rules;         // that would let the rest pass
  std::vector<std::string> warnings;
};

}  // namespace perfgate::inline evidence
