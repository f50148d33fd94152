// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/work.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "perfgate/bench/metrics.h"

namespace perfgate::bench {
namespace {

TEST(Work, IsFoundUnderWhatTheLibraryAppends) {
  DeclareWork("scale/n:8", {.bytes = 64, .flops = 8, .ceiling = "copy/n:8"});
  DeclareWork("scale/n:8/cache:cold", {.bytes = 65});
  ASSERT_NE(FindWork("scale/n:8"), nullptr);
  EXPECT_EQ(FindWork("scale/n:8")->bytes, 64);
  EXPECT_EQ(FindWork("scale/n:8")->ceiling, "copy/n:8");
  ASSERT_NE(FindWork("scale/n:8/manual_time"), nullptr);
  EXPECT_EQ(FindWork("scale/n:8/manual_time")->bytes, 64);
  EXPECT_EQ(FindWork("scale/n:8/cache:cold/manual_time/threads:2")->bytes, 65);
}

TEST(Work, IsNotFoundUnderALongerWord) {
  DeclareWork("sort/n:1", {.bytes = 1});
  EXPECT_EQ(FindWork("sort/n:16"), nullptr);
  EXPECT_EQ(FindWork("sort"), nullptr);
  EXPECT_EQ(FindWork("/sort/n:1"), nullptr);
  EXPECT_EQ(FindWork(""), nullptr);
}

TEST(Work, TheLastDeclarationHolds) {
  DeclareWork("twice", {.bytes = 1});
  DeclareWork("twice", {.bytes = 2});
  EXPECT_EQ(FindWork("twice")->bytes, 2);
}

TEST(Work, ADigestMeansOneThingEverywhere) {
  const Metric time{"real_time", "s", Direction::kLower, Kind::kTime};
  EXPECT_EQ(MetricsError({time, {"result_digest", "", Direction::kLower, Kind::kCount}}), "");
  EXPECT_NE(MetricsError({time, {"result_digest", "", Direction::kHigher, Kind::kCount}}), "");
  EXPECT_NE(MetricsError({time, {"result_digest", "", Direction::kLower, Kind::kScore}}), "");
}

TEST(Work, RefusesWhatIsNoAmount) {
  EXPECT_THROW(DeclareWork("", {.bytes = 1}), std::invalid_argument);
  EXPECT_THROW(DeclareWork("a", {.bytes = -1}), std::invalid_argument);
  EXPECT_THROW(DeclareWork("a", {.bytes = 1, .flops = NAN}), std::invalid_argument);
  EXPECT_THROW(DeclareWork("a", {.bytes = INFINITY}), std::invalid_argument);
  EXPECT_EQ(FindWork("a"), nullptr);
}

}  // namespace
}  // namespace perfgate::bench
