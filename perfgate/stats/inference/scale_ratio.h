// SPDX-License-Identifier: Apache-2.0
// scale_ratio.h: does one of two paired series spread wider than the other?
//
// Each series is centred at its own median. Where the two spread alike, the distances |x[r]| and
// |y[r]| of one round may be exchanged, so the sum of |y[r]| - |x[r]| is compared with all sums
// that exchanges give: a sign-flip test (Fisher, 1935). What moves both series together in a round
// cancels in the difference.
#pragma once

#include <span>

namespace perfgate::stats {

struct ScaleRatio {
  double ratio = 1;  // mean distance from the median, of y over x; at most 1e6
  double p = 1;      // of y spreading wider by chance: one-sided, exact up to 14 values
};

// The ratio alone, without the test. Throws as compare_scales.
double scale_ratio(std::span<const double> x, std::span<const double> y);

// x, y: finite and equally many, at least 2. Two constant series have the ratio 1.
// Throws std::invalid_argument.
ScaleRatio compare_scales(std::span<const double> x, std::span<const double> y);

}  // namespace perfgate::stats
