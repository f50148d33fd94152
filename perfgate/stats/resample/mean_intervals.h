// SPDX-License-Identifier: Apache-2.0
// mean_intervals.h: textbook intervals for a mean, for comparison and for imported data.
//
// They assume normal noise. perfgate decides nothing with them.
// d: [n], n >= 2, finite. confidence in (0, 1). Throw std::invalid_argument otherwise. Constant d
// gives an interval of width 0.
#pragma once

#include <span>

#include "perfgate/stats/estimate/interval.h"

namespace perfgate::stats {

// mean +- t_{(1+confidence)/2, n-1} s / sqrt(n) (Student, 1908).
NominalInterval student_t_interval(std::span<const double> d, double confidence = 0.95);

// Mean without the floor(trim n) smallest and largest values. trim in [0, .5).
double trimmed_mean(std::span<const double> values, double trim);

// SD (n - 1) of the values with the floor(trim n) smallest and largest replaced by their
// neighbours.
double winsorised_sd(std::span<const double> values, double trim);

// The trimmed mean +- t_{h-1} s_w / ((1 - 2 g / n) sqrt(n)), where g = floor(trim n) values are cut
// from each end, h = n - 2 g are left and s_w is the winsorised SD (Tukey and McLaughlin, 1963).
// Needs h >= 2.
NominalInterval trimmed_t_interval(std::span<const double> d, double trim = 0.2,
                                   double confidence = 0.95);

}  // namespace perfgate::stats
