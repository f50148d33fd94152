// SPDX-License-Identifier: Apache-2.0
// resampling.h: percentile bootstrap of a ratio, for comparison with tools that print one.
//
// perfgate decides nothing with it, and its result is never labelled CI95: a percentile bootstrap
// of a mean of 6 to 40 values covers 74 to 94 % at nominal 95 %, depending on the noise. Hence the
// names: a range of resampled ratios.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace perfgate::stats {

enum class Centre { kMedian, kMean };

struct ResampledRatio {
  double ratio = 1.0;  // centre(b) / centre(a)
  double lo = 1.0;     // percentile (1 - nominal) / 2 of the resampled ratios
  double hi = 1.0;     // percentile (1 + nominal) / 2
  double nominal = 0.95;
  std::size_t resamples = 0;
};

// a, b: independent samples, each >= 1 value, positive and finite. Both are resampled with
// replacement (Efron, 1979) by SplitMix64(seed), so equal arguments give equal results everywhere.
// Percentiles interpolate linearly between order statistics. nominal in (0, 1), resamples >= 1.
// Throws std::invalid_argument otherwise.
ResampledRatio resampled_ratio(std::span<const double> a, std::span<const double> b, Centre centre,
                               std::size_t resamples = 10000, double nominal = 0.95,
                               std::uint64_t seed = 1);

}  // namespace perfgate::stats
