// SPDX-License-Identifier: Apache-2.0
// noise_analysis.h: what a calibration says of the gate on this machine: its false alarms, what it
// can find within its budget, and how its rounds should be made up.
#pragma once

#include <optional>
#include <vector>

#include "perfgate/evidence/calibration.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/verdict/planning/pair_choice.h"
#include "perfgate/verdict/planning/resampled_gates.h"

namespace perfgate::inline verdict {

struct AnalysedColumn {
  bool gated = true;
  double tolerance = 0;
  bool unstable = false;  // the two estimates of the round SD differ by more than 2x
  stats::Outcome outcome = stats::Outcome::kUndecided;  // of the gate on the recorded rounds
  std::optional<int> rounds_to_pass;                    // unchanged code, 80 %; none: never
  std::optional<double> detectable;  // slowdown found at the last look, 80 %; none: nothing is
};

struct NoiseAnalysis {
  std::vector<stats::Look> looks;       // that the policy's budget reaches
  std::vector<AnalysedColumn> columns;  // one per column of the calibration
  // The gate on the recorded rounds, in their order, up to the last of these looks that they reach.
  int regressions = 0;
  int passes = 0;
  int undecided = 0;
  stats::Outcome suite = stats::Outcome::kUndecided;
  UnchangedGates resampled;
  PairAdvice pairs;
};

// Deterministic: the same calibration is always analysed alike. gates: to resample; 0:
// affordable_gates().
NoiseAnalysis analyse_noise(const Calibration& calibration, int gates = 0);

}  // namespace perfgate::inline verdict
