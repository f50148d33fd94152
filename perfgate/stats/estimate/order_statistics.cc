// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/order_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {

std::vector<double> sorted(std::span<const double> values) {
  require_finite(values, "sorted");
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

double median(std::span<const double> values) {
  require(!values.empty(), "median: no values");
  const std::vector<double> v = sorted(values);
  const std::size_t half = v.size() / 2;
  return v.size() % 2 == 1 ? v[half] : std::midpoint(v[half - 1], v[half]);
}

double MedianOfFinite(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : median(values);
}

double mean(std::span<const double> values) {
  require(!values.empty(), "mean: no values");
  require_finite(values, "mean");
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  require(std::isfinite(sum), "mean: the sum leaves the range of a double");
  return sum / static_cast<double>(values.size());
}

double sample_sd(std::span<const double> values) {
  require(values.size() >= 2, "sample_sd: needs at least two values");
  const double centre = mean(values);
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - centre) * (value - centre);
  }
  require(std::isfinite(squares), "sample_sd: the squares leave the range of a double");
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double quantile_of_sorted(std::span<const double> ascending, double p) {
  require(!ascending.empty(), "quantile_of_sorted: no values");
  require(p >= 0.0 && p <= 1.0, "quantile_of_sorted: p must be in [0, 1]");
  const double position = p * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], position - static_cast<double>(below));
}

}  // namespace perfgate::stats
