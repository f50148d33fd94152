// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/quantile_interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

// P(B = k) for k = 0 ... n by its recurrence, without the library's distribution.
std::vector<double> binomial_probabilities(std::size_t n, double p) {
  std::vector<double> all(n + 1);
  for (std::size_t k = 0; k <= n; ++k) {
    all[k] = std::exp(
        std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
        std::lgamma(static_cast<double>(n - k) + 1) + static_cast<double>(k) * std::log(p) +
        static_cast<double>(n - k) * std::log1p(-p));
  }
  return all;
}

TEST(QuantileRanks, AreTheTightestWithBothTailsKept) {
  for (const double p : {0.5, 0.9, 0.3}) {
    for (const double confidence : {0.8, 0.95}) {
      for (std::size_t n = 1; n <= 60; ++n) {
        const std::vector<double> b = binomial_probabilities(n, p);
        const double tail = 0.5 * (1.0 - confidence) + 1e-12;
        const auto ranks = quantile_ranks(n, p, confidence);
        const auto lower_error = [&](std::size_t lo) {
          double sum = 0.0;
          for (std::size_t k = 0; k <= lo; ++k) sum += b[k];
          return sum;
        };
        const auto upper_error = [&](std::size_t hi) {
          double sum = 0.0;
          for (std::size_t k = hi + 1; k <= n; ++k) sum += b[k];
          return sum;
        };
        const bool exists = lower_error(0) <= tail && upper_error(n - 1) <= tail;
        ASSERT_EQ(ranks.has_value(), exists) << n << " " << p;
        if (!exists) continue;
        EXPECT_LE(lower_error(ranks->lo), tail);
        EXPECT_GT(lower_error(ranks->lo + 1), tail);
        EXPECT_LE(upper_error(ranks->hi), tail);
        if (ranks->hi > 0) {
          EXPECT_GT(upper_error(ranks->hi - 1), tail);
        }
        EXPECT_NEAR(ranks->attained, 1.0 - lower_error(ranks->lo) - upper_error(ranks->hi), 1e-10);
        EXPECT_GE(ranks->attained, confidence - 1e-12);
      }
    }
  }
}

TEST(QuantileRanks, MirrorWithTheQuantile) {
  for (std::size_t n = 5; n < 200; n += 13) {
    const auto low = quantile_ranks(n, 0.2);
    const auto high = quantile_ranks(n, 0.8);
    ASSERT_EQ(low.has_value(), high.has_value());
    if (!low) continue;
    EXPECT_EQ(high->lo, n - 1 - low->hi);
    EXPECT_EQ(high->hi, n - 1 - low->lo);
  }
}

TEST(QuantileInterval, TakesTheOrderStatistics) {
  const std::vector<double> values = {6, 1, 5, 2, 4, 3};  // median of 6: [min, max], 31/32
  const Interval interval = quantile_interval(values, 0.5);
  ASSERT_TRUE(interval.valid);
  EXPECT_EQ(interval.lo, 1.0);
  EXPECT_EQ(interval.hi, 6.0);
  EXPECT_NEAR(interval.attained, 31.0 / 32.0, 1e-12);
  EXPECT_FALSE(quantile_interval(std::vector<double>{1, 2, 3, 4, 5}, 0.5).valid);
  EXPECT_FALSE(quantile_interval(values, 0.99).valid);
}

TEST(QuantileInterval, CoversWhateverTheDistribution) {
  const double true_p90 = std::exp(4.0 * 0.4);  // of exp(4 U), U uniform in [-.5, .5)
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    std::vector<double> values = testing::sample(50, seed, 4.0);
    for (double& v : values) v = std::exp(v);
    const Interval interval = quantile_interval(values, 0.9);
    covered += interval.valid && interval.lo <= true_p90 && true_p90 <= interval.hi ? 1 : 0;
  }
  const double attained = quantile_ranks(50, 0.9)->attained;
  EXPECT_NEAR(covered / 2000.0, attained, 4.0 * std::sqrt(attained * (1.0 - attained) / 2000.0));
}

TEST(ValuesNeeded, AreTheSmallestNumbers) {
  EXPECT_EQ(values_needed(0.5), 6U);
  EXPECT_EQ(values_needed(0.99), 368U);
  EXPECT_EQ(values_needed(0.01), 368U);
  EXPECT_EQ(values_needed_for_upper_bound(0.95), 59U);
  EXPECT_EQ(values_needed_for_upper_bound(0.99), 299U);
  EXPECT_EQ(values_needed_for_upper_bound(0.5, 0.5), 1U);
  for (const double p : {0.1, 0.5, 0.7, 0.95, 0.999}) {
    for (const double confidence : {0.5, 0.9, 0.99}) {
      const std::size_t n = values_needed(p, confidence);
      EXPECT_TRUE(quantile_ranks(n, p, confidence));
      if (n > 1) {
        EXPECT_FALSE(quantile_ranks(n - 1, p, confidence));
      }
      const std::size_t m = values_needed_for_upper_bound(p, confidence);
      EXPECT_GE(1.0 - std::pow(p, m), confidence);
      if (m > 1) {
        EXPECT_LT(1.0 - std::pow(p, m - 1), confidence);
      }
    }
  }
}

TEST(QuantileInterval, RefusesWrongLevels) {
  const std::vector<double> values = {1.0, 2.0};
  EXPECT_THROW(quantile_interval({}, 0.5), std::invalid_argument);
  EXPECT_THROW(quantile_interval(values, 0.0), std::invalid_argument);
  EXPECT_THROW(quantile_interval(values, 0.5, 1.0), std::invalid_argument);
  EXPECT_THROW(quantile_ranks(0, 0.5), std::invalid_argument);
  EXPECT_THROW(values_needed(1.0), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
