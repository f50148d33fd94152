// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/one_sided.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::kTokens;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// One case with a time and a rate; per round the rate of both arms.
Session WithRates(const std::vector<std::pair<double, double>>& rates) {
  Session session = synthetic::empty_session({"a"}, {Metric{}, kTokens});
  for (const auto& [baseline, candidate] : rates) {
    synthetic::add_round(session);
    synthetic::add_case(session, 0, {{{1}, {1}}, {{baseline}, {candidate}}});
  }
  return session;
}

TEST(OneSided, NothingWhereBothArmsReportInEverySlice) {
  EXPECT_THAT(one_sided_metrics(WithRates({{1, 2}, {3, 4}}), 0, 0, 1), IsEmpty());
}

TEST(OneSided, NothingWhereNeitherArmReportsInASlice) {
  EXPECT_THAT(one_sided_metrics(WithRates({{1, 2}, {kAbsent, kAbsent}}), 0, 0, 1), IsEmpty());
}

TEST(OneSided, NamesTheArmAndTheRoundsInWhichItIsAlone) {
  const auto found =
      one_sided_metrics(WithRates({{1, 2}, {1, kAbsent}, {1, kAbsent}, {kAbsent, 2}}), 0, 0, 1);
  ASSERT_EQ(found.size(), 1U);
  const OneSided& rate = found.at(1);
  EXPECT_TRUE(rate.reports[0]);
  EXPECT_TRUE(rate.reports[1]);
  EXPECT_THAT(rate.alone[0], ElementsAre(1, 2));
  EXPECT_THAT(rate.alone[1], ElementsAre(3));
  EXPECT_EQ(one_sided_reason(rate, "baseline", "candidate"),
            "metric_mismatch: only the baseline reports it in slices of rounds 2-3, only the "
            "candidate in slices of round 4");
}

TEST(OneSided, AnArmThatNeverReportsIsSaidWithoutRounds) {
  const auto found = one_sided_metrics(WithRates({{1, kAbsent}, {1, kAbsent}}), 0, 0, 1);
  ASSERT_TRUE(found.contains(1));
  EXPECT_FALSE(found.at(1).reports[1]);
  EXPECT_EQ(one_sided_reason(found.at(1), "old", "new"),
            "metric_mismatch: only the old reports it");
}

TEST(OneSided, MirrorsWhenTheArmsChangePlaces) {
  const Session session = WithRates({{1, kAbsent}, {kAbsent, 2}, {1, 2}});
  const auto there = one_sided_metrics(session, 0, 0, 1).at(1);
  const auto back = one_sided_metrics(session, 0, 1, 0).at(1);
  EXPECT_EQ(there.alone[0], back.alone[1]);
  EXPECT_EQ(there.alone[1], back.alone[0]);
  EXPECT_EQ(there.reports[0], back.reports[1]);
}

// Conditions of a GPU case are recorded and never compared.
TEST(OneSided, LeavesOutWhatIsInformational) {
  Session session = synthetic::empty_session({"a"}, {Metric{}, {"gpu_cycles", "1"}});
  synthetic::add_round(session);
  synthetic::add_case(session, 0, {{{1}, {1}}, {{5}, {kAbsent}}});
  EXPECT_THAT(one_sided_metrics(session, 0, 0, 1), IsEmpty());
}

}  // namespace
}  // namespace perfgate
