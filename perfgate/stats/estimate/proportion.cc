// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/proportion.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>

#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/estimate/quantiles.h"

namespace perfgate::stats {
namespace {

void require_counts(std::uint64_t successes, std::uint64_t trials, double confidence) {
  require(trials >= 1, "proportion: no trials");
  require(successes <= trials, "proportion: more successes than trials");
  require(confidence > 0.0 && confidence < 1.0, "proportion: the confidence must be in (0, 1)");
}

}  // namespace

ProportionInterval clopper_pearson(std::uint64_t successes, std::uint64_t trials,
                                   double confidence) {
  require_counts(successes, trials, confidence);
  const auto x = static_cast<double>(successes);
  const auto n = static_cast<double>(trials);
  const double tail = 0.5 * (1.0 - confidence);
  ProportionInterval interval;
  if (successes > 0) {
    interval.lo = boost::math::quantile(boost::math::beta_distribution<>(x, n - x + 1.0), tail);
  }
  if (successes < trials) {
    interval.hi = boost::math::quantile(
        boost::math::complement(boost::math::beta_distribution<>(x + 1.0, n - x), tail));
  }
  return interval;
}

ProportionInterval wilson(std::uint64_t successes, std::uint64_t trials, double confidence) {
  require_counts(successes, trials, confidence);
  const auto n = static_cast<double>(trials);
  const double rate = static_cast<double>(successes) / n;
  const double z = normal_quantile(0.5 + 0.5 * confidence);
  const double centre = (rate + z * z / (2.0 * n)) / (1.0 + z * z / n);
  const double half =
      z / (1.0 + z * z / n) * std::sqrt(rate * (1.0 - rate) / n + z * z / (4.0 * n * n));
  // At 0 and n the end is exactly 0 or 1; rounding must not move it.
  return {successes == 0 ? 0.0 : std::max(0.0, centre - half),
          successes == trials ? 1.0 : std::min(1.0, centre + half)};
}

}  // namespace perfgate::stats
