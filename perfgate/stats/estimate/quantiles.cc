// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/quantiles.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {

double normal_quantile(double p) {
  require(p > 0.0 && p < 1.0, "normal_quantile: p must be in (0, 1)");
  return boost::math::quantile(boost::math::normal(), p);
}

double student_t_quantile(double p, double degrees_of_freedom) {
  require(p > 0.0 && p < 1.0, "student_t_quantile: p must be in (0, 1)");
  require(degrees_of_freedom > 0.0 && std::isfinite(degrees_of_freedom),
          "student_t_quantile: degrees of freedom must be positive");
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), p);
}

double normal_cdf(double x) {
  require(!std::isnan(x), "normal_cdf: x is not a number");
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

}  // namespace perfgate::stats
