// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/tail.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace perfgate::stats {
namespace {

std::vector<double> Ascending(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(n);
  for (double& value : values) value = static_cast<double>(random() % 1000) / 7.0;
  std::sort(values.begin(), values.end());
  return values;
}

// The definition: the smallest value with at least a share q of all at or below it.
TEST(Tail, NearestRankIsTheSmallestValueThatEnoughDoNotExceed) {
  for (std::size_t n = 1; n <= 120; ++n) {
    const std::vector<double> values = Ascending(n, n);
    for (const int percent : {1, 5, 50, 90, 95, 99}) {
      const double found = NearestRank(values, percent / 100.0);
      const auto at_or_below = [&](double x) {
        return std::count_if(values.begin(), values.end(), [x](double v) { return v <= x; });
      };
      EXPECT_GE(100 * at_or_below(found), static_cast<long>(n) * percent) << n << " p" << percent;
      const auto below =
          std::count_if(values.begin(), values.end(), [found](double v) { return v < found; });
      EXPECT_LT(100 * below, static_cast<long>(n) * percent) << n << " p" << percent;
    }
  }
}

TEST(Tail, TailMeanIsTheMeanOfTheSlowest) {
  for (const std::size_t n : {1U, 19U, 20U, 21U, 400U, 2000U}) {
    const std::vector<double> values = Ascending(n, n);
    const std::size_t slowest = (n + 19) / 20;
    const double sum =
        std::accumulate(values.end() - static_cast<long>(slowest), values.end(), 0.0);
    EXPECT_NEAR(TailMean(values, 0.95), sum / static_cast<double>(slowest), 1e-9) << n;
  }
}

// One call in a hundred ten times as slow: p95 does not see it, the mean of the slowest 5 % does.
TEST(Tail, AThinTailIsInTheTailMean) {
  std::vector<double> values(1000, 1.0);
  for (std::size_t i = 990; i < 1000; ++i) values[i] = 10;
  EXPECT_EQ(NearestRank(values, 0.95), 1.0);
  EXPECT_EQ(NearestRank(values, 0.99), 1.0);
  EXPECT_NEAR(TailMean(values, 0.95), (40 * 1.0 + 10 * 10.0) / 50, 1e-12);
}

TEST(Tail, RefusesWhatIsNoQuantileOfAnything) {
  const std::vector<double> one = {1.0};
  EXPECT_THROW(NearestRank({}, 0.5), std::invalid_argument);
  EXPECT_THROW(TailMean({}, 0.5), std::invalid_argument);
  for (const double q : {0.0, 1.0, -0.1, 1.5}) {
    EXPECT_THROW(NearestRank(one, q), std::invalid_argument);
    EXPECT_THROW(TailMean(one, q), std::invalid_argument);
  }
}

}  // namespace
}  // namespace perfgate::stats
