// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/walsh_select.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {
namespace {

// 500 values have 125,000 averages: listing and selecting takes as long as 64 counts.
constexpr std::size_t kMostListed = 500;

std::vector<double> list_and_select(std::span<const double> d,
                                    std::span<const std::int64_t> ranks) {
  std::vector<double> walsh;
  walsh.reserve(d.size() * (d.size() + 1) / 2);
  for (std::size_t i = 0; i < d.size(); ++i) {
    for (std::size_t j = i; j < d.size(); ++j) {
      walsh.push_back(std::midpoint(d[i], d[j]));
    }
  }
  // Ascending ranks let each selection start where the one before has left larger values.
  std::vector<std::int64_t> ascending(ranks.begin(), ranks.end());
  std::sort(ascending.begin(), ascending.end());
  auto first = walsh.begin();
  for (const std::int64_t rank : ascending) {
    const auto nth = walsh.begin() + rank;
    if (nth >= first) {
      std::nth_element(first, nth, walsh.end());
      first = nth + 1;
    }
  }
  std::vector<double> selected;
  for (const std::int64_t rank : ranks) {
    selected.push_back(walsh[static_cast<std::size_t>(rank)]);
  }
  return selected;
}

// Doubles as integers in the same order, and back.
std::int64_t key_of(double value) {
  const auto bits = std::bit_cast<std::int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

double value_of(std::int64_t key) {
  return std::bit_cast<double>(key >= 0 ? key : std::numeric_limits<std::int64_t>::min() - key);
}

// Number of averages <= threshold.
std::int64_t count_up_to(std::span<const double> ascending, double threshold) {
  std::int64_t count = 0;
  std::size_t end = ascending.size();  // one past the last j that i pairs with
  for (std::size_t i = 0; i < end; ++i) {
    while (end > i && std::midpoint(ascending[i], ascending[end - 1]) > threshold) {
      --end;
    }
    count += static_cast<std::int64_t>(end - i);
  }
  return count;
}

double halve(std::span<const double> ascending, std::int64_t rank) {
  std::int64_t lo = key_of(ascending.front());
  std::int64_t hi = key_of(ascending.back());
  while (lo < hi) {
    const std::int64_t middle = std::midpoint(lo, hi);
    if (count_up_to(ascending, value_of(middle)) > rank) {
      hi = middle;
    } else {
      lo = middle + 1;
    }
  }
  return value_of(lo);
}

}  // namespace

std::vector<double> select_walsh(std::span<const double> d, std::span<const std::int64_t> ranks) {
  require(!d.empty(), "Walsh averages: no values");
  require_finite(d, "Walsh averages");
  const auto n = static_cast<std::int64_t>(d.size());
  require(std::all_of(ranks.begin(), ranks.end(),
                      [&](std::int64_t rank) { return rank >= 0 && rank < n * (n + 1) / 2; }),
          "Walsh averages: a rank is out of range");
  if (d.size() <= kMostListed) {
    return list_and_select(d, ranks);
  }
  const std::vector<double> ascending = sorted(d);
  std::vector<double> selected;
  for (const std::int64_t rank : ranks) {
    selected.push_back(halve(ascending, rank));
  }
  return selected;
}

}  // namespace perfgate::stats
