// SPDX-License-Identifier: Apache-2.0
// change_points.h: where a series of measurements changed its level.
//
// A series is split at the place where the means before and after differ most, if they differ more
// than they do in the same values in random order; then each part is looked at in the same way, as
// in E-divisive means (Matteson and James, 2014, A nonparametric approach for multiple change point
// analysis, section 3) and binary segmentation (Vostrikova, 1981). The statistic of a part is
//
//   T = max over k of |S_k| / sqrt(k (n - k) / n),  S_k = sum of the first k of (y - mean of y),
//
// the likelihood ratio of one change of mean (Sen and Srivastava, 1975, On tests for detecting
// change in mean, eq. 2.3), of y = the values clipped at 3 median absolute deviations from their
// median, so that one bad day is no change. Its p-value counts random orders (Antoch and Huskova,
// 2001, Permutation tests in change point analysis): a series whose values are exchangeable is
// split at all with probability at most alpha, whatever their distribution.
//
// Days in a row resemble each other. Where the lag-1 autocorrelation r of what the best split
// leaves is above 2 / sqrt(n), blocks of l = (sqrt(6) r / (1 - r^2))^(2/3) n^(1/3) values are
// ordered anew instead of single ones (Carlstein, 1986, The use of subseries values, section 3), so
// that a wandering machine is not a change at every turn. docs/history.md has the measured rates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perfgate::stats {

struct ChangeRule {
  double alpha = 0.005;      // chance that a series without a change is split; in (0, 0.5)
  std::size_t shortest = 4;  // fewest points on either side of a change; at least 2
  double least_shift = 0;    // smaller differences of medians are no change, in the unit of x
  std::uint64_t seed = 1;    // of the random orders: equal seeds, equal results
};

struct ChangePoint {
  std::size_t index = 0;     // of the first point after the change
  std::size_t range_lo = 0;  // the first point after the change lies within these with about 95 %
  std::size_t range_hi = 0;
  double before = 0;  // median of the points up to the change before this one, in the unit of x
  double after = 0;   // median of the points up to the next change
  double p = 1;       // of the test that found it: at most alpha
};

// Change points of x in ascending order. x: in order of time, finite, any number; of fewer than
// 2 * shortest nothing is said. For times pass logarithms, so that shifts are ratios. Throws
// std::invalid_argument for a value that is not finite or a rule out of range.
std::vector<ChangePoint> FindChangePoints(std::span<const double> x, const ChangeRule& rule = {});

}  // namespace perfgate::stats
