// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/column_verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/verdict/effect.h"

namespace perfgate::inline verdict {
namespace {

// The rounds that the verdict rests on.
std::span<const double> rounds_used(const Column& column, const stats::ColumnState& state) {
  const std::span<const double> all(column.d);
  return state.outcome == stats::Outcome::kUndecided
             ? all
             : all.first(static_cast<std::size_t>(state.rounds));
}

Verdict verdict_of(const Column& column, const stats::ColumnState& state,
                   const stats::Interval& interval, double tau) {
  switch (state.outcome) {
    case stats::Outcome::kFail:
      return Verdict::kRegression;
    case stats::Outcome::kPass:
      return interval.hi < -tau || (tau == 0 && interval.hi < 0) ? Verdict::kImprovement
                                                                 : Verdict::kNoRegression;
    case stats::Outcome::kUndecided:
      break;
  }
  // A column that does not gate has no place in the suite's test; its own interval may speak.
  if (!column.gated && interval.valid && interval.lo > tau) return Verdict::kRegression;
  return Verdict::kInconclusive;
}

Claim claim_of(Verdict verdict, const stats::Interval& interval, double tau, bool tested) {
  if (!interval.valid) return Claim::kInsufficient;
  const bool beyond =
      verdict == Verdict::kRegression ? interval.lo > tau && tested : interval.hi < -tau;
  if (beyond) return Claim::kStrong;
  if (interval.lo > 0 || interval.hi < 0) return Claim::kDirectional;
  return Claim::kNoiseDominated;
}

void add_plan(const Column& column, const stats::ColumnRule& rule, const Metric& metric,
              const ColumnContext& context, ColumnVerdict& verdict) {
  const int n = static_cast<int>(column.d.size());
  const double alpha =
      context.alpha_last > 0 ? stats::column_alpha(context.alpha_last, context.undecided) : 0.0;
  const stats::Plan plan = stats::plan_column(column.d, rule.tau, alpha);
  const auto more = [n](int total) { return std::max(1, total - n); };
  const std::optional<stats::RoundsForecast>& pass = plan.rounds_to_pass;
  const std::optional<stats::RoundsForecast>& fail = plan.rounds_to_fail;
  if (pass) verdict.rounds_to_pass = more(pass->about);
  if (fail) verdict.rounds_to_fail = more(fail->about);
  const auto& nearer = !pass || (fail && fail->about < pass->about) ? fail : pass;
  if (nearer) {
    verdict.rounds_range_lo = more(nearer->lo);
    if (nearer->hi) verdict.rounds_range_hi = more(*nearer->hi);
  }
  verdict.noise_unstable = plan.unstable;
  if (is_relative(metric.kind) && std::isfinite(plan.minimum_detectable)) {
    verdict.detectable = plan.minimum_detectable;
  }
}

}  // namespace

ColumnVerdict judge_column(const Session& session, const Column& column,
                           const stats::ColumnState& state, const ColumnContext& context) {
  const Metric& metric = session.metrics[column.metric_index];
  const stats::ColumnRule rule = column_rule(column, metric);
  const std::span<const double> d = rounds_used(column, state);
  const int n = static_cast<int>(d.size());

  ColumnVerdict verdict;
  verdict.case_name = session.cases[column.case_index].name;
  verdict.metric = metric;
  verdict.gated = column.gated;
  verdict.tolerance = column.tolerance;
  verdict.rounds = n;
  verdict.setup_share = session.cases[column.case_index].setup_share;
  verdict.baseline = stats::median(std::span(column.baseline).first(d.size()));
  verdict.candidate = stats::median(std::span(column.candidate).first(d.size()));
  verdict.noise_sd = n >= 2 ? stats::noise_sd(d) : std::numeric_limits<double>::quiet_NaN();
  if (!std::isnan(state.p_adjusted)) verdict.p_adjusted = state.p_adjusted;

  const stats::Interval interval = IntervalOf(d);
  verdict.effect = EffectOf(d, interval, metric);
  verdict.verdict = verdict_of(column, state, interval, rule.tau);
  verdict.claim =
      claim_of(verdict.verdict, interval, rule.tau, state.outcome == stats::Outcome::kFail);
  if (verdict.verdict == Verdict::kInconclusive && n >= 2) {
    add_plan(column, rule, metric, context, verdict);
  }
  return verdict;
}

}  // namespace perfgate::inline verdict
