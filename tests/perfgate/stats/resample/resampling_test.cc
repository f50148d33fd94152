// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/resampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perfgate/stats/estimate/order_statistics.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

std::vector<double> times(std::size_t n, unsigned seed, double centre = 100.0) {
  std::vector<double> values = testing::sample(n, seed, 10.0);
  for (double& value : values) {
    value += centre;
  }
  return values;
}

TEST(ResampledRatio, EqualArgumentsGiveEqualResults) {
  const std::vector<double> a = times(20, 1);
  const std::vector<double> b = times(15, 2);
  const ResampledRatio first = resampled_ratio(a, b, Centre::kMedian, 500);
  const ResampledRatio again = resampled_ratio(a, b, Centre::kMedian, 500);
  EXPECT_EQ(first.lo, again.lo);
  EXPECT_EQ(first.hi, again.hi);
  EXPECT_NE(first.lo, resampled_ratio(a, b, Centre::kMedian, 500, 0.95, 2).lo);
}

TEST(ResampledRatio, EnclosesThePointValue) {
  const std::vector<double> a = times(20, 1);
  const std::vector<double> b = times(20, 2, 110.0);
  const ResampledRatio medians = resampled_ratio(a, b, Centre::kMedian);
  EXPECT_EQ(medians.ratio, median(b) / median(a));
  EXPECT_LE(medians.lo, medians.ratio);
  EXPECT_GE(medians.hi, medians.ratio);
  EXPECT_EQ(resampled_ratio(a, b, Centre::kMean).ratio, mean(b) / mean(a));
}

// For the mean of a large sample the percentile range is the normal one: mean ratio +- 1.96 SE.
TEST(ResampledRatio, MatchesTheNormalLimitForLargeMeans) {
  const std::vector<double> a(5, 1.0);
  const std::vector<double> b = times(400, 7);
  const ResampledRatio result = resampled_ratio(a, b, Centre::kMean, 20000);
  const double half = 1.96 * sample_sd(b) / std::sqrt(400.0);
  EXPECT_NEAR(result.lo, mean(b) - half, 0.05 * half);
  EXPECT_NEAR(result.hi, mean(b) + half, 0.05 * half);
}

TEST(ResampledRatio, ConstantSamplesCollapse) {
  const ResampledRatio result =
      resampled_ratio(std::vector<double>(4, 2.0), std::vector<double>(3, 3.0), Centre::kMean, 100);
  EXPECT_EQ(result.lo, 1.5);
  EXPECT_EQ(result.hi, 1.5);
}

TEST(ResampledRatio, WiderNominalIsWider) {
  const std::vector<double> a = times(12, 3);
  const std::vector<double> b = times(12, 4);
  const ResampledRatio narrow = resampled_ratio(a, b, Centre::kMedian, 2000, 0.5);
  const ResampledRatio wide = resampled_ratio(a, b, Centre::kMedian, 2000, 0.99);
  EXPECT_LT(wide.lo, narrow.lo);
  EXPECT_GT(wide.hi, narrow.hi);
}

TEST(ResampledRatio, RefusesWhatItCannotCompute) {
  const std::vector<double> good{1.0, 2.0};
  EXPECT_THROW(resampled_ratio({}, good, Centre::kMean), std::invalid_argument);
  EXPECT_THROW(resampled_ratio(good, {}, Centre::kMean), std::invalid_argument);
  for (const double bad : {0.0, -1.0, testing::kNaN, testing::kInfinity}) {
    EXPECT_THROW(resampled_ratio(good, std::vector<double>{1.0, bad}, Centre::kMean),
                 std::invalid_argument);
  }
  EXPECT_THROW(
      resampled_ratio(std::vector<double>(2, 1e-300), std::vector<double>(2, 1e300), Centre::kMean),
      std::invalid_argument);
  EXPECT_THROW(resampled_ratio(good, good, Centre::kMean, 0), std::invalid_argument);
  EXPECT_THROW(resampled_ratio(good, good, Centre::kMean, 10, 1.0), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
