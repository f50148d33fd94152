// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/multiplicity.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {
namespace {

// Positions of p in ascending order.
std::vector<std::size_t> ascending_order(std::span<const double> p) {
  require_finite(p, "multiplicity: p");
  require(std::all_of(p.begin(), p.end(), [](double v) { return v >= 0.0 && v <= 1.0; }),
          "multiplicity: p-values must be in [0, 1]");
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending_order(p);
  std::vector<double> adjusted(p.size());
  double largest = 0.0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    largest = std::max(largest, static_cast<double>(order.size() - j) * p[order[j]]);
    adjusted[order[j]] = std::min(1.0, largest);
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending_order(p);
  const auto m = static_cast<double>(p.size());
  std::vector<double> adjusted(p.size());
  double smallest = 1.0;
  for (std::size_t j = order.size(); j-- > 0;) {
    smallest = std::min(smallest, m / static_cast<double>(j + 1) * p[order[j]]);
    adjusted[order[j]] = smallest;
  }
  return adjusted;
}

}  // namespace perfgate::stats
