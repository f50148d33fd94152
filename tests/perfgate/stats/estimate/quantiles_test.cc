// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/quantiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

// P(0 <= T <= x) by Simpson's rule on the density: an oracle that knows no quantile algorithm.
double integrated(double x, double df) {
  const double log_scale =
      std::lgamma((df + 1) / 2) - std::lgamma(df / 2) - 0.5 * std::log(df * std::numbers::pi);
  const auto density = [&](double t) {
    return std::exp(log_scale - (df + 1) / 2 * std::log1p(t * t / df));
  };
  constexpr int kSteps = 20000;
  const double h = x / kSteps;
  double sum = density(0.0) + density(x);
  for (int i = 1; i < kSteps; ++i) {
    sum += (i % 2 == 1 ? 4.0 : 2.0) * density(i * h);
  }
  return sum * h / 3.0;
}

TEST(Quantiles, PublishedValues) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.8), 0.8416212335729143, 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 9), 2.262157162798205, 1e-11);
  EXPECT_NEAR(student_t_quantile(0.975, 1), 12.706204736432095, 1e-9);
}

TEST(Quantiles, StudentTInvertsItsDensity) {
  for (const double df : {1.0, 4.0, 9.0, 23.0, 39.0}) {
    for (const double p : {0.6, 0.9, 0.975, 0.997}) {
      EXPECT_NEAR(0.5 + integrated(student_t_quantile(p, df), df), p, 1e-8) << df << " " << p;
      EXPECT_NEAR(student_t_quantile(1.0 - p, df), -student_t_quantile(p, df), 1e-9);
    }
  }
}

TEST(Quantiles, NormalInvertsItsDistribution) {
  for (const double p : {1e-12, 0.001, 0.025, 0.5, 0.7, 0.997}) {
    EXPECT_NEAR(normal_cdf(normal_quantile(p)), p, 1e-13);
  }
  EXPECT_NEAR(student_t_quantile(0.99, 1e7), normal_quantile(0.99), 1e-6);
}

TEST(Quantiles, RefuseWhatHasNone) {
  for (const double p : {0.0, 1.0, -1.0, 2.0, testing::kNaN}) {
    EXPECT_THROW(normal_quantile(p), std::invalid_argument);
    EXPECT_THROW(student_t_quantile(p, 5), std::invalid_argument);
  }
  for (const double df : {0.0, -1.0, testing::kNaN, testing::kInfinity}) {
    EXPECT_THROW(student_t_quantile(0.9, df), std::invalid_argument);
  }
  EXPECT_THROW(normal_cdf(testing::kNaN), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
