// SPDX-License-Identifier: Apache-2.0
// effect.h: a difference as verdicts print it.
//
// Times and rates are compared on the log scale and printed as fractions; counts and scores are
// compared and printed as differences in their unit.
#pragma once

#include <span>

#include "perfgate/evidence/verdict.h"
#include "perfgate/stats/estimate/interval.h"

namespace perfgate::inline verdict {

// d: a distance on the scale on which the metric is compared.
double PrintedDistance(double d, const Metric& metric);

// The interval that every verdict on d rests on and prints. d: [rounds], not empty. Not valid below
// stats::kMinimumRounds. earlier: Schedule::earlier_candidates.
stats::Interval IntervalOf(std::span<const double> d, int earlier = 0);

// The estimate with its interval, or with the smallest and largest d where the interval is not
// valid.
Effect EffectOf(std::span<const double> d, const stats::Interval& interval, const Metric& metric);

}  // namespace perfgate::inline verdict
