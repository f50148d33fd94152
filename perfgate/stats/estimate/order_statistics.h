// SPDX-License-Identifier: Apache-2.0
// order_statistics.h: median, mean and standard deviation of a sample.
//
// values: [n], n >= 1, finite, any order, any unit (the result has the same). Throw
// std::invalid_argument otherwise, and where a sum leaves the range of a double. MedianOfFinite
// alone takes whatever comes.
#pragma once

#include <span>
#include <vector>

namespace perfgate::stats {

// The middle order statistic; the mean of the two middle ones when n is even.
double median(std::span<const double> values);

// The same of what is finite; NaN where nothing is, and for no values.
double MedianOfFinite(std::vector<double> values);

// Sum in index order, divided by n.
double mean(std::span<const double> values);

// Square root of the sum of squared deviations from the mean over n - 1. Needs n >= 2.
double sample_sd(std::span<const double> values);

// Ascending copy; may be empty.
std::vector<double> sorted(std::span<const double> values);

// Quantile of ascending values, linear between order statistics at position p (n - 1) (Hyndman and
// Fan, 1996, type 7). p in [0, 1].
double quantile_of_sorted(std::span<const double> ascending, double p);

}  // namespace perfgate::stats
