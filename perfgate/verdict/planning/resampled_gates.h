// SPDX-License-Identifier: Apache-2.0
// resampled_gates.h: what the gate would do, tried on rounds that were recorded from unchanged
// code.
//
// A resampled gate draws as many rounds as its last look needs, with replacement, from the recorded
// ones; all columns of a round are drawn together, so their dependence is kept. Every drawn round
// gets a fresh fair coin for its sign, as the gate tosses one for the roles: under it the drawn
// rounds are exactly what unchanged code gives. Then the product's own looks are applied.
//
// Gate g of a seed is the same whatever the number of gates and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perfgate/evidence/calibration.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/design/sequential_gate.h"

namespace perfgate::inline verdict {

// The gated columns of a calibration under a policy, and what their rounds cost.
struct GateModel {
  std::vector<std::size_t> columns;      // index into Calibration::columns
  std::vector<stats::ColumnRule> rules;  // one per column, as all lists below
  std::vector<std::vector<double>> d;    // recorded rounds
  std::vector<std::size_t> case_of;      // index into case_s
  std::vector<double> case_s;            // wall seconds of each case in a round
  double launch_s = 0;                   // wall seconds of a round without its cases
  double start_s = 0;                    // wall seconds before the first round
  std::vector<stats::Look> looks;        // of at least 6 rounds; none: nothing is decided
};

// A case whose columns are all ungated is measured until the first look, as the gate does.
GateModel gate_model(const Calibration& calibration, const Policy& policy,
                     const std::vector<stats::Look>& looks);

// Gates that can be resampled in seconds: 1000, fewer for suites of more than 40 columns.
int affordable_gates(std::size_t columns);

struct UnchangedGates {
  int gates = 0;
  int failed = 0;  // suites with a false FAIL
  int passed = 0;  // suites in which every column passes
  std::vector<int> column_passed;
  std::vector<int> column_failed;
  std::vector<double> column_rounds;  // mean
  double rounds = 0;                  // mean over suites
  std::vector<double> wall_s;         // of every suite, ascending
};

UnchangedGates resample_unchanged(const GateModel& model, int gates, std::uint64_t seed = 1);

// One column at a time is slower by shift[column] (in the unit of d), the others are unchanged.
struct SlowedGates {
  int found = 0;      // gates in which the column fails
  double rounds = 0;  // mean rounds of the column
};

// One entry per column; NaN shifts are not tried. The other columns leave as they do when nothing
// is slower: what the slow one does to their own false failures, 1 % at most, is not followed.
std::vector<SlowedGates> resample_slowed(const GateModel& model, const std::vector<double>& shift,
                                         int gates, std::uint64_t seed = 1);

// The smallest upper bound that unchanged rounds of the column reach at any look, as its quantile
// `power` over resampled gates: with any larger tau it passes with that chance. Infinity where
// there is no look.
double passing_tau(const GateModel& model, std::size_t column, double power, int gates,
                   std::uint64_t seed = 1);

}  // namespace perfgate::inline verdict
