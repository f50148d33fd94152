// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/suites/geometric_mean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/perfgate/report/suites/suite_samples.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;

// Round means are 0.02, ..., 0.07: Hodges-Lehmann is 0.045, and 6 rounds give min and max.
TEST(GeometricMean, IsOverRoundsThatMeasuredAllCases) {
  const ReportedSuite suite = sample::suite_of_logs(
      {{0.01, 0.02, 0.03, 0.04, 0.05, 0.06}, {0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 9, 9}});
  const std::vector<GeometricMean> means = GeometricMeansOf(suite);
  ASSERT_EQ(means.size(), 1U);
  EXPECT_EQ(means[0].cases, 2);
  EXPECT_EQ(means[0].rounds, 6);
  EXPECT_NEAR(means[0].effect, std::expm1(0.045), 1e-12);
  EXPECT_NEAR(means[0].lo, std::expm1(0.02), 1e-12);
  EXPECT_NEAR(means[0].hi, std::expm1(0.07), 1e-12);
  EXPECT_EQ(GeometricMeanText(means[0]),
            "geometric mean over 2 cases, real_time: +4.60 % [+2.02, +7.25], n = 6");
  EXPECT_THAT(GeometricMeanMethod(means[0]), HasSubstr("signed ranks"));
}

TEST(GeometricMean, HasNoIntervalBelowSixRoundsOrWithoutASession) {
  ReportedSuite suite = sample::suite_of_logs({{0.1, 0.1}, {0.3, 0.3}});
  GeometricMean mean = GeometricMeansOf(suite).at(0);
  EXPECT_EQ(mean.rounds, 2);
  EXPECT_NEAR(mean.effect, std::expm1(0.2), 1e-12);
  EXPECT_TRUE(std::isnan(mean.lo));
  EXPECT_THAT(GeometricMeanMethod(mean), HasSubstr("fewer than 6"));
  suite.session.reset();
  mean = GeometricMeansOf(suite).at(0);
  EXPECT_EQ(mean.rounds, 0);
  EXPECT_NEAR(mean.effect, std::expm1(0.2), 1e-12);
  EXPECT_THAT(GeometricMeanMethod(mean), HasSubstr("session file"));
}

TEST(GeometricMean, LeavesOutCasesWithoutAChangeAndWhatDoesNotGate) {
  ReportedSuite suite = sample::suite_of_logs({{0.1, 0.1}, {0.3, 0.3}, {5, 5}});
  suite.verdict->columns[2].gated = false;
  suite.verdict->columns.push_back(
      sample::faulty_column("case/9", Verdict::kFailed, "crashed: candidate"));
  const GeometricMean mean = GeometricMeansOf(suite).at(0);
  EXPECT_EQ(mean.cases, 2);
  EXPECT_EQ(mean.left_out, 1);
  EXPECT_THAT(GeometricMeanText(mean), HasSubstr("(1 case without a change left out)"));
}

TEST(GeometricMean, OneCaseOrNoneHasNone) {
  EXPECT_TRUE(GeometricMeansOf(sample::suite_of_logs({{0.1, 0.1}})).empty());
  EXPECT_TRUE(GeometricMeansOf(sample::suite_of_logs({})).empty());
  EXPECT_TRUE(GeometricMeansOf({}).empty());
}

}  // namespace
}  // namespace perfgate::report
