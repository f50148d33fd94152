// SPDX-License-Identifier: Apache-2.0
// quantile_interval.h: distribution-free intervals for a median, a p95 or a p99.
//
// The number of values below the true p-quantile is binomial(n, p) whatever the distribution, so a
// pair of order statistics encloses it with a probability that needs no assumption (Thompson,
// 1936). Too few values carry no such interval: p99 at 95 % needs 299 for an upper end alone.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "perfgate/stats/estimate/interval.h"

namespace perfgate::stats {

// Ranks (0-based) of the order statistics that bound the p-quantile.
struct QuantileRanks {
  std::size_t lo = 0;
  std::size_t hi = 0;
  double attained = 0.0;  // exact coverage, >= the confidence asked for
};

// Equal-tailed: each end alone is wrong with probability at most (1 - confidence) / 2.
// None where n is too small for one of the ends. p, confidence in (0, 1); n >= 1.
std::optional<QuantileRanks> quantile_ranks(std::size_t n, double p, double confidence = 0.95);

// values: [n], n >= 1, finite, any order. Not valid where no ranks exist.
Interval quantile_interval(std::span<const double> values, double p, double confidence = 0.95);

// Fewest values with which quantile_ranks() exists.
std::size_t values_needed(double p, double confidence = 0.95);

// Fewest values whose maximum is an upper bound of the p-quantile with this confidence:
// 1 - p^n >= confidence. 59 for p95, 299 for p99 at 95 % (Wilks, 1941).
std::size_t values_needed_for_upper_bound(double p, double confidence = 0.95);

}  // namespace perfgate::stats
