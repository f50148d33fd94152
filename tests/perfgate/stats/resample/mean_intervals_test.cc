// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/mean_intervals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "perfgate/stats/estimate/order_statistics.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

TEST(StudentT, TwoValuesByHand) {
  // mean 2, SD sqrt(2), t_{.975, 1} = 12.7062047362
  const NominalInterval interval = student_t_interval(std::vector<double>{1.0, 3.0});
  EXPECT_EQ(interval.estimate, 2.0);
  EXPECT_NEAR(interval.hi - 2.0, 12.7062047362, 1e-9);
  EXPECT_NEAR(2.0 - interval.lo, 12.7062047362, 1e-9);
  EXPECT_EQ(interval.nominal, 0.95);
}

TEST(TrimmedT, WithoutTrimmingIsStudentT) {
  const std::vector<double> d = testing::sample(17, 3);
  const NominalInterval t = student_t_interval(d, 0.9);
  const NominalInterval trimmed = trimmed_t_interval(d, 0.0, 0.9);
  EXPECT_NEAR(trimmed.lo, t.lo, 1e-15);
  EXPECT_NEAR(trimmed.hi, t.hi, 1e-15);
}

TEST(TrimmedMean, CutsBothEndsByHand) {
  const std::vector<double> values = {100, 2, 4, 1, 3, -50, 5, 6, 7, 8};
  EXPECT_EQ(trimmed_mean(values, 0.2), (2.0 + 3 + 4 + 5 + 6 + 7) / 6.0);
  EXPECT_EQ(trimmed_mean(values, 0.0), mean(values));
  // .29 x 100 is 28.999999999999996 in binary: 29 values go, not 28.
  std::vector<double> ramp(100);
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i] = i < 29 ? -1e9 : static_cast<double>(i);
  EXPECT_GT(trimmed_mean(ramp, 0.29), 0.0);
}

TEST(TrimmedMean, IsNotMovedByOneOutlier) {
  std::vector<double> values = testing::sample(10, 5);
  values[3] = 10.0;
  const double before = trimmed_mean(values, 0.2);
  values[3] = 1e9;
  EXPECT_EQ(trimmed_mean(values, 0.2), before);
  EXPECT_LT(trimmed_t_interval(values).hi, 1.0);
}

TEST(WinsorisedSd, ReplacesTheEndsByTheirNeighbours) {
  EXPECT_EQ(winsorised_sd(std::vector<double>{-99, 1, 2, 3, 99}, 0.2),
            sample_sd(std::vector<double>{1, 1, 2, 3, 3}));
}

TEST(MeanIntervals, ConstantValuesGiveWidthZero) {
  const std::vector<double> d(8, -4.5);
  for (const NominalInterval& i : {student_t_interval(d), trimmed_t_interval(d)}) {
    EXPECT_EQ(i.lo, -4.5);
    EXPECT_EQ(i.hi, -4.5);
  }
}

TEST(MeanIntervals, WidenWithConfidence) {
  const std::vector<double> d = testing::sample(12, 9);
  EXPECT_LT(student_t_interval(d, 0.9).hi, student_t_interval(d, 0.99).hi);
  EXPECT_LT(trimmed_t_interval(d, 0.1, 0.9).hi, trimmed_t_interval(d, 0.1, 0.99).hi);
}

TEST(MeanIntervals, RefuseWhatTheyCannotUse) {
  const std::vector<double> two = {1.0, 2.0};
  EXPECT_THROW(student_t_interval(std::vector<double>{1.0}), std::invalid_argument);
  EXPECT_THROW(student_t_interval(two, 1.0), std::invalid_argument);
  EXPECT_THROW(trimmed_t_interval(two, 0.5), std::invalid_argument);
  EXPECT_THROW(trimmed_t_interval(two, -0.1), std::invalid_argument);
  EXPECT_THROW(trimmed_t_interval(std::vector<double>{1, 2, 3}, 0.4), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
