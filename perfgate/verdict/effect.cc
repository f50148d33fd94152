// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/effect.h"

#include <cmath>

#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::inline verdict {

double PrintedDistance(double d, const Metric& metric) {
  return is_relative(metric.kind) ? std::expm1(d) : d;
}

stats::Interval IntervalOf(std::span<const double> d, int earlier) {
  const int n = static_cast<int>(d.size());
  return n < stats::kMinimumRounds
             ? stats::no_interval()
             : stats::signed_rank_interval(d, stats::sequential_level(n, earlier));
}

Effect EffectOf(std::span<const double> d, const stats::Interval& interval, const Metric& metric) {
  Effect effect;
  effect.estimate = PrintedDistance(stats::hodges_lehmann(d), metric);
  if (interval.valid) {
    effect.lo = PrintedDistance(interval.lo, metric);
    effect.hi = PrintedDistance(interval.hi, metric);
  } else {
    const stats::Range range = stats::min_max(d);
    effect.range_lo = PrintedDistance(range.lo, metric);
    effect.range_hi = PrintedDistance(range.hi, metric);
    effect.range_confidence = range.confidence;
  }
  return effect;
}

}  // namespace perfgate::inline verdict
