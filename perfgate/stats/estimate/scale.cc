// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {
namespace {

// 1 / Phi^-1(3/4) and 1 / (2 Phi^-1(3/4)): what makes both agree with the SD of a normal sample.
constexpr double kMadFactor = 1.482602218505602;
constexpr double kIqrFactor = 0.741301109252801;

}  // namespace

double mad_sd(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> distance(values.size());
  // Halved, so that the distance of two huge values of opposite sign stays finite.
  std::transform(values.begin(), values.end(), distance.begin(),
                 [&](double v) { return std::fabs(0.5 * v - 0.5 * centre); });
  const double result = kMadFactor * median(distance) * 2.0;
  require(std::isfinite(result), "mad_sd: the values spread beyond the range of a double");
  return result;
}

double sample_quantile(std::span<const double> values, double p) {
  require(!values.empty(), "sample_quantile: no values");
  require(p >= 0.0 && p <= 1.0, "sample_quantile: p must be in [0, 1]");
  return quantile_of_sorted(sorted(values), p);
}

double iqr_sd(std::span<const double> values) {
  require(!values.empty(), "iqr_sd: no values");
  const std::vector<double> ascending = sorted(values);
  const double result =
      kIqrFactor * (quantile_of_sorted(ascending, 0.75) - quantile_of_sorted(ascending, 0.25));
  require(std::isfinite(result), "iqr_sd: the values spread beyond the range of a double");
  return result;
}

}  // namespace perfgate::stats
