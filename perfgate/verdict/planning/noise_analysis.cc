// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/noise_analysis.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/design/planning.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/gate/round_plan.h"
#include "perfgate/verdict/planning/rounds_to_pass.h"

namespace perfgate::inline verdict {
namespace {

// The gate on the recorded rounds as they came.
void judge_recorded(const GateModel& model, int rounds, NoiseAnalysis& analysis) {
  std::vector<stats::ColumnState> states(model.rules.size());
  for (const stats::Look& look : model.looks) {
    if (look.rounds <= rounds) stats::apply_look(look, model.rules, model.d, states);
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    analysis.columns[model.columns[i]].outcome = states[i].outcome;
    analysis.regressions += states[i].outcome == stats::Outcome::kFail ? 1 : 0;
    analysis.passes += states[i].outcome == stats::Outcome::kPass ? 1 : 0;
    analysis.undecided += states[i].outcome == stats::Outcome::kUndecided ? 1 : 0;
  }
  analysis.suite = stats::suite_outcome(states);
}

}  // namespace

NoiseAnalysis analyse_noise(const Calibration& calibration, int gates) {
  const Policy& policy = calibration.policy;
  NoiseAnalysis analysis;
  const double budget_s = budget_of(policy, calibration.round_s, calibration.start_s);
  analysis.looks = looks_within(
      policy, affordable_rounds(policy, calibration.round_s, budget_s - calibration.start_s));
  const GateModel model = gate_model(calibration, policy, analysis.looks);
  analysis.columns.resize(calibration.columns.size());
  judge_recorded(model, calibration.rounds, analysis);
  analysis.resampled =
      resample_unchanged(model, gates > 0 ? gates : affordable_gates(model.columns.size()));

  const int last = analysis.looks.empty() ? 0 : analysis.looks.back().rounds;
  const double alpha = stats::column_alpha(analysis.looks.empty() ? 0 : analysis.looks.back().alpha,
                                           std::max(1, analysis.undecided));
  for (std::size_t c = 0; c < analysis.columns.size(); ++c) {
    const CalibratedColumn& column = calibration.columns[c];
    AnalysedColumn& analysed = analysis.columns[c];
    const ColumnPolicy rule = column_policy(policy, column.case_name, column.metric);
    Column as_gated;
    as_gated.tolerance = rule.tolerance;
    const stats::ColumnRule test = column_rule(as_gated, column.metric);
    analysed.gated = rule.gate;
    analysed.tolerance = rule.tolerance;
    analysed.unstable = stats::noise_is_unstable(column.d);
    analysed.rounds_to_pass = rounds_to_pass(column.round_sd, test);
    const double distance = stats::detectable_distance(column.round_sd, last, alpha);
    if (std::isfinite(distance)) {
      analysed.detectable =
          is_relative(column.metric.kind) ? std::expm1(test.tau + distance) : test.tau + distance;
    }
  }
  analysis.pairs = advise_pairs(calibration, policy);
  return analysis;
}

}  // namespace perfgate::inline verdict
