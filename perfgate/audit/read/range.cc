// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/range.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfgate::audit {
namespace {

// A bound such as 0.33335 is a decimal fraction that binary arithmetic misses by a few units of its
// last place; printed numbers have at most 15 digits.
constexpr double kSlack = 1e-12;

template <class Bound, class Reduce>
Range each_bound(std::span<const Range> ranges, Bound lower, Reduce reduce) {
  std::vector<double> lo;
  std::vector<double> hi;
  for (const Range& range : ranges) {
    lo.push_back(lower(range.lo));
    hi.push_back(lower(range.hi));
  }
  return {reduce(lo), reduce(hi)};
}

double same(double value) { return value; }

}  // namespace

Range plus(Range a, Range b) { return {a.lo + b.lo, a.hi + b.hi}; }

Range minus(Range a, Range b) { return {a.lo - b.hi, a.hi - b.lo}; }

Range times(Range a, Range b) {
  const auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
  return {lo, hi};
}

Range scaled(Range a, double factor) { return times(a, {factor, factor}); }

Range widened(Range a, double by) { return {a.lo - by, a.hi + by}; }

std::optional<Range> divided(Range a, Range b) {
  if (b.lo <= 0 && b.hi >= 0) return std::nullopt;
  const auto [lo, hi] = std::minmax({a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi});
  return Range{lo, hi};
}

Range sum_of(std::span<const Range> ranges) {
  Range total;
  for (const Range& range : ranges) total = plus(total, range);
  return total;
}

Range mean_of(std::span<const Range> ranges) {
  return scaled(sum_of(ranges), 1.0 / static_cast<double>(ranges.size()));
}

Range median_of(std::span<const Range> ranges) {
  return each_bound(ranges, same, [](std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  });
}

Range min_of(std::span<const Range> ranges) {
  return each_bound(ranges, same, [](const auto& values) {
    return *std::min_element(values.begin(), values.end());
  });
}

Range max_of(std::span<const Range> ranges) {
  return each_bound(ranges, same, [](const auto& values) {
    return *std::max_element(values.begin(), values.end());
  });
}

std::optional<Range> geometric_mean_of(std::span<const Range> ranges) {
  if (std::any_of(ranges.begin(), ranges.end(), [](Range range) { return range.lo <= 0; })) {
    return std::nullopt;
  }
  return each_bound(
      ranges, [](double value) { return std::log(value); },
      [](const std::vector<double>& logs) {
        double total = 0;
        for (const double log : logs) total += log;
        return std::exp(total / static_cast<double>(logs.size()));
      });
}

double width(Range a) { return a.hi - a.lo; }

double middle(Range a) { return a.lo + (a.hi - a.lo) / 2; }

bool touch(Range a, Range b) {
  const double scale = std::max({std::abs(a.lo), std::abs(a.hi), std::abs(b.lo), std::abs(b.hi)});
  return a.lo <= b.hi + kSlack * scale && b.lo <= a.hi + kSlack * scale;
}

}  // namespace perfgate::audit
