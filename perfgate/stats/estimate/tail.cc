// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/tail.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace perfgate::stats {
namespace {

// q n as a count: 0.95 x 400 is 380.00000000000006 in binary, and the 380th value is meant.
double Rounded(double count) {
  const double nearest = std::round(count);
  return std::fabs(count - nearest) < 1e-6 ? nearest : count;
}

void Require(std::span<const double> ascending, double q) {
  if (ascending.empty()) throw std::invalid_argument("a tail needs values");
  if (!(q > 0 && q < 1)) throw std::invalid_argument("a quantile lies between 0 and 1");
}

}  // namespace

double NearestRank(std::span<const double> ascending, double q) {
  Require(ascending, q);
  const double rank = std::ceil(Rounded(q * static_cast<double>(ascending.size())));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return ascending[std::min(index, ascending.size() - 1)];
}

double TailMean(std::span<const double> ascending, double q) {
  Require(ascending, q);
  const double count = std::ceil(Rounded((1 - q) * static_cast<double>(ascending.size())));
  const auto slowest = ascending.last(static_cast<std::size_t>(std::max(count, 1.0)));
  return std::accumulate(slowest.begin(), slowest.end(), 0.0) / static_cast<double>(slowest.size());
}

}  // namespace perfgate::stats
