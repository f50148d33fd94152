// SPDX-License-Identifier: Apache-2.0
// quantiles.h: quantiles of the standard normal and Student's t distribution.
//
// p in (0, 1); degrees of freedom > 0. Throw std::invalid_argument otherwise.
#pragma once

namespace perfgate::stats {

double normal_quantile(double p);
double student_t_quantile(double p, double degrees_of_freedom);

// P(X <= x) of the standard normal distribution.
double normal_cdf(double x);

}  // namespace perfgate::stats
