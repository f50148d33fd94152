// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/column_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "perfgate/base/index.h"
#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/scale_ratio.h"
#include "perfgate/verdict/clock_check.h"
#include "perfgate/verdict/effect.h"
#include "perfgate/verdict/gate/unchanged_code.h"
#include "perfgate/verdict/second_clock.h"

namespace perfgate::inline verdict {
namespace {

constexpr double kMostNoiseRatio = 2;  // of the arms' own spreads, before a test is asked

bool IsFaster(const BothSides& states) {
  return states.slower.outcome == stats::Outcome::kPass &&
         states.faster.outcome == stats::Outcome::kFail;
}

// The rounds that the verdict rests on.
std::span<const double> rounds_used(const Column& column, const BothSides& states) {
  const std::span<const double> all(column.d);
  if (states.slower.outcome == stats::Outcome::kUndecided) return all;
  const stats::ColumnState& decided = IsFaster(states) ? states.faster : states.slower;
  return all.first(static_cast<std::size_t>(decided.rounds));
}

Verdict verdict_of(const Column& column, const BothSides& states, const stats::Interval& interval,
                   double tau) {
  switch (states.slower.outcome) {
    case stats::Outcome::kFail:
      return Verdict::kRegression;
    case stats::Outcome::kPass:
      // A column that does not gate has no place in the suite's test; its own interval may speak.
      return (column.gated ? IsFaster(states) : interval.hi < -tau) ? Verdict::kImprovement
                                                                    : Verdict::kNoRegression;
    case stats::Outcome::kUndecided:
      break;
  }
  if (!column.gated && interval.valid && interval.lo > tau) return Verdict::kRegression;
  return Verdict::kInconclusive;
}

Claim claim_of(Verdict verdict, const stats::Interval& interval, double tau, bool tested) {
  if (!interval.valid) return Claim::kInsufficient;
  if (tested && verdict == Verdict::kRegression && interval.lo > tau) return Claim::kStrong;
  if (tested && verdict == Verdict::kImprovement && interval.hi < -tau) return Claim::kStrong;
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

// A candidate that makes itself noisy hides its slowdown; a machine that is noisy makes both so.
void CompareNoise(const Column& column, int rounds, ColumnVerdict& verdict) {
  std::vector<double> logs[2];
  for (int r = 0; r < rounds; ++r) {
    logs[0].push_back(std::log(column.baseline[Index(r)]));
    logs[1].push_back(std::log(column.candidate[Index(r)]));
  }
  verdict.noise_ratio = stats::scale_ratio(logs[0], logs[1]);
  if (verdict.noise_ratio <= kMostNoiseRatio) return;  // the test takes a millisecond
  verdict.noise_ratio_p = stats::compare_scales(logs[0], logs[1]).p;
  if (IsNoisier(verdict)) {
    verdict.reason = fmt::format(
        "noisier: the candidate's rounds spread {:.1f} times as wide as the baseline's (p {:.2g})",
        verdict.noise_ratio, verdict.noise_ratio_p);
  }
}

}  // namespace

bool IsNoisier(const ColumnVerdict& verdict) {
  constexpr double kLevel = 0.01;
  return verdict.noise_ratio > kMostNoiseRatio && verdict.noise_ratio_p <= kLevel;
}

bool PassesInconclusive(const ColumnVerdict& verdict, double hide_limit) {
  return !is_withheld_by_clock(verdict) && !IsWithheldBySecondClock(verdict) &&
         !IsWithheldByLayout(verdict) && is_relative(verdict.metric.kind) &&
         verdict.rounds >= stats::kMinimumRounds && verdict.effect.hi < hide_limit &&
         verdict.effect.estimate <= verdict.tolerance && !IsNoisier(verdict);
}

ColumnVerdict judge_column(const Session& session, const Column& column, const BothSides& states,
                           const ColumnContext& context) {
  const Metric& metric = session.metrics[column.metric_index];
  const stats::ColumnRule rule = column_rule(column, metric);
  const std::span<const double> d = rounds_used(column, states);
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
  const bool faster = IsFaster(states);
  const double p = faster ? states.faster.p_adjusted : states.slower.p_adjusted;
  if (!std::isnan(p)) verdict.p_adjusted = p;

  const stats::Interval interval = IntervalOf(d, session.schedule.earlier_candidates);
  verdict.effect = EffectOf(d, interval, metric);
  verdict.verdict = verdict_of(column, states, interval, rule.tau);
  verdict.claim = claim_of(verdict.verdict, interval, rule.tau,
                           faster || states.slower.outcome == stats::Outcome::kFail);
  if (context.reuses_layouts && verdict.claim == Claim::kStrong) {
    verdict.claim = Claim::kDirectional;
  }
  if (verdict.verdict == Verdict::kInconclusive && n >= 2) {
    add_plan(column, rule, metric, context, verdict);
  }
  if (verdict.verdict == Verdict::kInconclusive && n >= stats::kMinimumRounds &&
      is_relative(metric.kind)) {
    CompareNoise(column, n, verdict);
  }
  return verdict;
}

}  // namespace perfgate::inline verdict
