// SPDX-License-Identifier: Apache-2.0
// best_split.h: the best split of one part of a series, and how rare such a split is by chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perfgate::stats {

// The largest standardised difference of means before and after a split.
struct Split {
  std::size_t index = 0;  // of the first value after it
  double statistic = 0;   // T of change_points.h, in the unit of y
};

// y: centred or not. At least `shortest` values on each side; n >= 2 * shortest.
Split BestSplit(std::span<const double> y, std::size_t shortest);

// Values clipped at 3 median absolute deviations from the median; as they are where that is 0.
std::vector<double> Clipped(std::span<const double> x);

// Length of the blocks that are ordered anew: 1 unless what the split leaves is autocorrelated.
std::size_t BlockLength(std::span<const double> y);

// Share of random orders of blocks whose best split is at least as good, the given order included.
// Stops early once more than 10 orders were (Besag and Clifford, 1991, Sequential Monte Carlo
// p-values), so the share is exact where it is small. orders: at most so many, at least 1.
double SplitChance(std::span<const double> y, std::size_t shortest, std::size_t block,
                   std::size_t orders, std::uint64_t seed);

}  // namespace perfgate::stats
