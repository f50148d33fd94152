// SPDX-License-Identifier: Apache-2.0
// calibration.h: what one machine's noise does to one suite, from measuring an executable against
// itself (A/A) for a fixed number of rounds.
//
// Every round statistic is kept, so that a gate under any other policy can be tried on it without
// measuring again.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline evidence {

// One case and metric. Standard deviations are in the unit of d: natural log for times and rates,
// the metric's unit for counts and scores. NaN: not known.
struct CalibratedColumn {
  std::string case_name;
  Metric metric;
  std::int64_t iterations = 0;  // of one slice; 0: by time
  double slice_s = 0;           // timed seconds of one slice
  double setup_share = 0;       // share of a slice that set-up takes, against its timed part
  double pair_s = 0;            // wall seconds of one slice pair, set-up and requests included
  double value = std::numeric_limits<double>::quiet_NaN();  // median over rounds of both arms
  double round_sd = 0;   // of d between rounds, from the width of CI95: one outlier is no matter
  double sample_sd = 0;  // of d between rounds, ordinary
  double pair_sd = std::numeric_limits<double>::quiet_NaN();     // one pair inside its round
  double between_sd = std::numeric_limits<double>::quiet_NaN();  // launch to launch
  std::vector<double> d;  // round statistics, positive = second arm worse; one per round
};

// A case that was not calibrated, and why.
struct LeftOut {
  std::string case_name;
  std::string reason;
};

struct Calibration {
  std::string session_id;
  std::string tool;
  std::string started;  // ISO 8601, UTC
  std::string suite;
  ArmInfo executable;
  Machine machine;
  std::vector<int> cpus;       // cores the arms were pinned to
  RoundConditions conditions;  // medians over rounds
  std::string seed;            // of the schedule, 16 hex digits
  Policy policy;               // that a gate on this suite would use; pairs as measured
  int rounds = 0;
  double wall_s = 0;    // of the session
  double start_s = 0;   // wall seconds before the first round: calibrating iterations
  double round_s = 0;   // wall seconds of a round with every case
  double launch_s = 0;  // part of round_s that does not grow with the pairs
  std::vector<CalibratedColumn> columns;
  std::vector<LeftOut> left_out;
  std::vector<std::string> warnings;
};

}  // namespace perfgate::inline evidence
