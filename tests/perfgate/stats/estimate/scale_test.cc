// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

TEST(Scale, EstimatesTheSdOfNormalNoise) {
  std::vector<double> values(20001);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 3.0 * normal_quantile((static_cast<double>(i) + 0.5) / 20001.0);
  }
  EXPECT_NEAR(mad_sd(values), 3.0, 1e-3);
  EXPECT_NEAR(iqr_sd(values), 3.0, 1e-3);
}

TEST(Scale, IsNotMovedByOneOutlier) {
  std::vector<double> values = testing::sample(41, 1);
  const double mad = mad_sd(values);
  const double iqr = iqr_sd(values);
  *std::max_element(values.begin(), values.end()) = 1e6;
  EXPECT_EQ(mad_sd(values), mad);
  EXPECT_EQ(iqr_sd(values), iqr);
}

TEST(Scale, FollowsShiftAndScale) {
  const std::vector<double> values = testing::sample(30, 2);
  std::vector<double> moved = values;
  for (double& v : moved) v = 7.0 - 4.0 * v;
  EXPECT_NEAR(mad_sd(moved), 4.0 * mad_sd(values), 1e-14);
  EXPECT_NEAR(iqr_sd(moved), 4.0 * iqr_sd(values), 1e-14);
}

TEST(Scale, IsZeroWhereMostValuesAreEqual) {
  const std::vector<double> values = {1, 1, 1, 1, 5};
  EXPECT_EQ(mad_sd(values), 0.0);
  EXPECT_EQ(iqr_sd(values), 0.0);
}

TEST(SampleQuantile, RunsFromTheSmallestToTheLargest) {
  const std::vector<double> values = {4, 1, 3, 2};
  EXPECT_EQ(sample_quantile(values, 0.0), 1.0);
  EXPECT_EQ(sample_quantile(values, 0.5), 2.5);
  EXPECT_EQ(sample_quantile(values, 1.0), 4.0);
  EXPECT_THROW(sample_quantile(values, 1.1), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
