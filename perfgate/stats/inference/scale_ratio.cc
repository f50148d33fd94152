// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/scale_ratio.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/inference/sign_flips.h"

namespace perfgate::stats {
namespace {

constexpr double kLargestRatio = 1e6;

std::vector<double> distances(std::span<const double> values) {
  const double centre = median(values);
  std::vector<double> result;
  for (const double value : values) result.push_back(std::abs(value - centre));
  return result;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

double scale_ratio(std::span<const double> x, std::span<const double> y) {
  require(x.size() == y.size(), "compare_scales: both series need the same number of values");
  require(x.size() >= 2, "compare_scales: needs at least two values");
  require_finite(x, "compare_scales: x");
  require_finite(y, "compare_scales: y");
  const double sum_x = sum_of(distances(x));
  const double sum_y = sum_of(distances(y));
  const double larger = std::max(sum_x, sum_y);
  if (larger <= 0) return 1;
  return std::min(kLargestRatio, sum_y / std::max(sum_x, larger / kLargestRatio));
}

ScaleRatio compare_scales(std::span<const double> x, std::span<const double> y) {
  const double ratio = scale_ratio(x, y);
  const std::vector<double> wide_x = distances(x);
  const std::vector<double> wide_y = distances(y);
  const double sum_x = sum_of(wide_x);
  const double sum_y = sum_of(wide_y);
  const double larger = std::max(sum_x, sum_y);
  if (larger <= 0) return {};

  const SignFlips flips = sign_flips(static_cast<int>(x.size()));
  std::size_t reached = 0;
  for (std::size_t f = 0; f < flips.count; ++f) {
    double sum = 0;
    for (std::size_t r = 0; r < x.size(); ++r) {
      const double difference = wide_y[r] - wide_x[r];
      sum += flips.negated(f, static_cast<int>(r)) ? -difference : difference;
    }
    if (sum >= sum_y - sum_x - kTie * larger) ++reached;
  }
  return {ratio, static_cast<double>(reached) / static_cast<double>(flips.count)};
}

}  // namespace perfgate::stats
