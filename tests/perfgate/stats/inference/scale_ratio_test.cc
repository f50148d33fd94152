// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/scale_ratio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace perfgate::stats {
namespace {

std::vector<double> spread(std::mt19937_64& random, int count, double sd) {
  std::normal_distribution<double> normal(0, sd);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(normal(random));
  return values;
}

TEST(ScaleRatio, ByHand) {
  // Distances from the medians 0: x 1 0 1, y 4 0 3. Of the 8 exchanges only those of the middle
  // round leave the sum of the differences at 5.
  const std::vector<double> x = {-1, 0, 1}, y = {4, 0, -3};
  const ScaleRatio result = compare_scales(x, y);
  EXPECT_DOUBLE_EQ(result.ratio, 3.5);
  EXPECT_DOUBLE_EQ(result.p, 2.0 / 8);
  EXPECT_DOUBLE_EQ(compare_scales(y, x).ratio, 1 / 3.5);
  EXPECT_DOUBLE_EQ(compare_scales(y, x).p, 1);
}

TEST(ScaleRatio, NeitherShiftNorACommonUnitMatters) {
  std::mt19937_64 random(1);
  const std::vector<double> x = spread(random, 12, 1), y = spread(random, 12, 3);
  std::vector<double> shifted = y, scaled_x = x, scaled_y = y;
  for (double& value : shifted) value += 100;
  for (double& value : scaled_x) value *= 64;
  for (double& value : scaled_y) value *= 64;
  const ScaleRatio result = compare_scales(x, y);
  EXPECT_NEAR(compare_scales(x, shifted).ratio, result.ratio, 1e-9);
  EXPECT_EQ(compare_scales(x, shifted).p, result.p);
  EXPECT_DOUBLE_EQ(compare_scales(scaled_x, scaled_y).ratio, result.ratio);
  EXPECT_EQ(compare_scales(scaled_x, scaled_y).p, result.p);
}

TEST(ScaleRatio, ConstantSeries) {
  const std::vector<double> still = {2, 2, 2, 2, 2, 2}, moving = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(compare_scales(still, still).ratio, 1);
  EXPECT_EQ(compare_scales(still, still).p, 1);
  EXPECT_EQ(compare_scales(still, moving).ratio, 1e6);
  EXPECT_EQ(compare_scales(still, moving).p, 1.0 / 64);
  EXPECT_EQ(compare_scales(moving, still).ratio, 0);
}

// The level holds although the median of each series is estimated, also with a common drift that is
// larger than what either series adds.
TEST(ScaleRatio, HoldsItsLevelAndFindsATripledSpread) {
  std::mt19937_64 random(2);
  constexpr int kTrials = 4000;
  for (const int n : {10, 16, 40}) {
    int alarms = 0, found = 0;
    for (int trial = 0; trial < (n > 14 ? kTrials / 20 : kTrials); ++trial) {
      const std::vector<double> drift = spread(random, n, 2);
      std::vector<double> x = spread(random, n, 1), same = spread(random, n, 1);
      for (std::size_t r = 0; r < x.size(); ++r) {
        x[r] += drift[r];
        same[r] += drift[r];
      }
      alarms += compare_scales(x, same).p <= 0.05 ? 1 : 0;
      found += compare_scales(spread(random, n, 1), spread(random, n, 3)).p <= 0.05 ? 1 : 0;
    }
    const double trials = n > 14 ? kTrials / 20 : kTrials;
    EXPECT_LE(alarms / trials, 0.05 + 4 * std::sqrt(0.05 / trials)) << n;
    EXPECT_GE(found / trials, n == 10 ? 0.7 : 0.9) << n;
  }
}

TEST(ScaleRatio, BadInput) {
  const std::vector<double> two = {1, 2}, three = {1, 2, 3}, one = {1};
  const std::vector<double> broken = {1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(compare_scales(two, three), std::invalid_argument);
  EXPECT_THROW(compare_scales(one, one), std::invalid_argument);
  EXPECT_THROW(compare_scales(two, broken), std::invalid_argument);
  EXPECT_THROW(compare_scales(broken, two), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
