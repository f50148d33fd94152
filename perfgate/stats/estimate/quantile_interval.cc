// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/quantile_interval.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <vector>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {
namespace {

void require_levels(double p, double confidence) {
  require(p > 0.0 && p < 1.0, "quantile interval: p must be in (0, 1)");
  require(confidence > 0.0 && confidence < 1.0,
          "quantile interval: the confidence must be in (0, 1)");
}

// P(at most k of n values lie below the p-quantile), k >= 0.
double at_most(std::size_t n, double p, std::size_t k) {
  if (k >= n) {
    return 1.0;
  }
  return boost::math::cdf(boost::math::binomial(static_cast<double>(n), p), static_cast<double>(k));
}

double more_than(std::size_t n, double p, std::size_t k) {
  if (k >= n) {
    return 0.0;
  }
  return boost::math::cdf(boost::math::complement(boost::math::binomial(static_cast<double>(n), p),
                                                  static_cast<double>(k)));
}

// Smallest k in [0, n] for which holds(k) is true; holds is monotone and holds(n) is true.
template <typename Predicate>
std::size_t first_where(std::size_t n, const Predicate& holds) {
  std::size_t lo = 0;
  std::size_t hi = n;
  while (lo < hi) {
    const std::size_t middle = lo + (hi - lo) / 2;
    if (holds(middle)) {
      hi = middle;
    } else {
      lo = middle + 1;
    }
  }
  return lo;
}

}  // namespace

std::optional<QuantileRanks> quantile_ranks(std::size_t n, double p, double confidence) {
  require_levels(p, confidence);
  require(n >= 1, "quantile_ranks: no values");
  const double tail = 0.5 * (1.0 - confidence);
  // X_(r), 0-based, is above the quantile when at most r values lie below it. With B binomial:
  // lower end wrong: P(B <= lo), upper end wrong: P(B > hi).
  const std::size_t first_too_likely =
      first_where(n, [&](std::size_t k) { return at_most(n, p, k) > tail; });
  const std::size_t hi = first_where(n, [&](std::size_t k) { return more_than(n, p, k) <= tail; });
  if (first_too_likely == 0 || hi >= n) {
    return std::nullopt;
  }
  const std::size_t lo = first_too_likely - 1;
  return QuantileRanks{lo, hi, 1.0 - at_most(n, p, lo) - more_than(n, p, hi)};
}

Interval quantile_interval(std::span<const double> values, double p, double confidence) {
  require_levels(p, confidence);
  require(!values.empty(), "quantile_interval: no values");
  const std::vector<double> ascending = sorted(values);
  const std::optional<QuantileRanks> ranks = quantile_ranks(values.size(), p, confidence);
  if (!ranks) {
    return no_interval();
  }
  return {ascending[ranks->lo], ascending[ranks->hi], ranks->attained, true};
}

std::size_t values_needed(double p, double confidence) {
  require_levels(p, confidence);
  // The extremes must do: (1-p)^n <= tail for the minimum, p^n <= tail for the maximum.
  const double tail = 0.5 * (1.0 - confidence);
  const double harder = std::max(p, 1.0 - p);
  const auto n = static_cast<std::size_t>(std::ceil(std::log(tail) / std::log(harder)));
  // The logarithms may be off by a rounding in either direction.
  std::size_t least = n > 2 ? n - 2 : 1;
  while (!quantile_ranks(least, p, confidence)) {
    ++least;
  }
  return least;
}

std::size_t values_needed_for_upper_bound(double p, double confidence) {
  require_levels(p, confidence);
  const double n = std::ceil(std::log1p(-confidence) / std::log(p));
  std::size_t least = n > 2.0 ? static_cast<std::size_t>(n) - 1 : 1;
  while (1.0 - std::pow(p, static_cast<double>(least)) < confidence) {
    ++least;
  }
  return least;
}

}  // namespace perfgate::stats
