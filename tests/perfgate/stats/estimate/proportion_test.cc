// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/proportion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace perfgate::stats {
namespace {

// P(at most x of n) at the rate p, summed term by term.
double at_most(std::uint64_t x, std::uint64_t n, double p) {
  double sum = 0.0;
  for (std::uint64_t k = 0; k <= x; ++k) {
    sum += std::exp(
        std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
        std::lgamma(static_cast<double>(n - k) + 1) + static_cast<double>(k) * std::log(p) +
        static_cast<double>(n - k) * std::log1p(-p));
  }
  return sum;
}

TEST(ClopperPearson, EachEndLeavesHalfTheErrorInItsTail) {
  for (std::uint64_t n = 1; n <= 40; n += 3) {
    for (std::uint64_t x = 0; x <= n; ++x) {
      const ProportionInterval interval = clopper_pearson(x, n, 0.9);
      if (x < n) {
        EXPECT_NEAR(at_most(x, n, interval.hi), 0.05, 1e-9);
      }
      if (x > 0) {
        EXPECT_NEAR(1.0 - at_most(x - 1, n, interval.lo), 0.05, 1e-9);
      }
    }
  }
}

TEST(ClopperPearson, ReachesTheEnds) {
  EXPECT_EQ(clopper_pearson(0, 20).lo, 0.0);
  EXPECT_EQ(clopper_pearson(20, 20).hi, 1.0);
  // 45 windows without an alarm bound the rate by 6.4 % at 90 %, two-sided.
  EXPECT_NEAR(clopper_pearson(0, 45, 0.90).hi, 1.0 - std::pow(0.05, 1.0 / 45.0), 1e-12);
}

TEST(ClopperPearson, CoversAtEveryRate) {
  for (const double rate : {0.01, 0.2, 0.5, 0.93}) {
    double covered = 0.0;
    for (std::uint64_t x = 0; x <= 30; ++x) {
      const ProportionInterval interval = clopper_pearson(x, 30);
      if (interval.lo <= rate && rate <= interval.hi) {
        covered += at_most(x, 30, rate) - (x > 0 ? at_most(x - 1, 30, rate) : 0.0);
      }
    }
    EXPECT_GE(covered, 0.95 - 1e-12) << rate;
  }
}

TEST(Wilson, SolvesTheScoreEquation) {
  constexpr double kZ = 1.959963984540054;
  for (std::uint64_t x = 1; x < 25; x += 4) {
    const ProportionInterval interval = wilson(x, 25);
    const double rate = static_cast<double>(x) / 25.0;
    for (const double p : {interval.lo, interval.hi}) {
      EXPECT_NEAR(std::fabs(rate - p), kZ * std::sqrt(p * (1.0 - p) / 25.0), 1e-12);
    }
    EXPECT_GT(interval.lo, clopper_pearson(x, 25).lo);
    EXPECT_LT(interval.hi, clopper_pearson(x, 25).hi);
  }
  EXPECT_EQ(wilson(0, 7).lo, 0.0);
  EXPECT_EQ(wilson(7, 7).hi, 1.0);
}

TEST(Proportion, MirrorsSuccessesAndFailures) {
  for (std::uint64_t x = 0; x <= 12; ++x) {
    EXPECT_NEAR(clopper_pearson(x, 12).lo, 1.0 - clopper_pearson(12 - x, 12).hi, 1e-12);
    EXPECT_NEAR(wilson(x, 12).lo, 1.0 - wilson(12 - x, 12).hi, 1e-12);
  }
}

TEST(Proportion, RefusesImpossibleCounts) {
  EXPECT_THROW(clopper_pearson(0, 0), std::invalid_argument);
  EXPECT_THROW(clopper_pearson(3, 2), std::invalid_argument);
  EXPECT_THROW(wilson(1, 2, 0.0), std::invalid_argument);
  EXPECT_THROW(wilson(1, 2, std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
