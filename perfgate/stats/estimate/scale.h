// SPDX-License-Identifier: Apache-2.0
// scale.h: how far a sample spreads, without letting a single outlier decide.
//
// values: [n], n >= 1, finite, any order; the result has their unit. Throw std::invalid_argument
// otherwise.
#pragma once

#include <span>

namespace perfgate::stats {

// Median of |value - median|, times 1.4826 so that it estimates the standard deviation of normal
// noise (Hampel, 1974). 0 when more than half of the values are equal.
double mad_sd(std::span<const double> values);

// Interquartile range over 1.3490, the same for normal noise. Quartiles interpolate linearly
// between order statistics at p (n - 1) (Hyndman and Fan, 1996, type 7).
double iqr_sd(std::span<const double> values);

// Quantile of the sample, type 7. p in [0, 1].
double sample_quantile(std::span<const double> values, double p);

}  // namespace perfgate::stats
