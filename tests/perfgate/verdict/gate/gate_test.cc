// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::add_case;
using synthetic::add_fault;
using synthetic::add_ratio;
using synthetic::add_ratio_round;
using synthetic::add_round;
using synthetic::empty_session;
using synthetic::kCount;
using synthetic::kNan;
using synthetic::kRate;
using synthetic::kScore;
using synthetic::kTime;
using synthetic::Noise;
using testing::DoubleNear;
using testing::ElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity();

double statistic(std::vector<double> baseline, std::vector<double> candidate,
                 const Metric& metric) {
  return round_statistic(baseline, candidate, metric);
}

TEST(RoundStatistic, IsTheMedianLogRatioOfThePairs) {
  EXPECT_DOUBLE_EQ(statistic({1, 1, 1}, {1.1, 4, 0.5}, kTime), std::log(1.1));
  // Pairs, not medians of the arms: those would give log(2 / 2).
  EXPECT_DOUBLE_EQ(statistic({1, 2, 3}, {3, 2, 6}, kTime), std::log(2.0));
  EXPECT_DOUBLE_EQ(statistic({1, 1}, {2, 8}, kTime), std::log(4.0));
}

TEST(RoundStatistic, IsPositiveWhereTheCandidateIsWorse) {
  EXPECT_GT(statistic({1}, {1.5}, kTime), 0);
  EXPECT_LT(statistic({1}, {1.5}, kRate), 0);
  EXPECT_DOUBLE_EQ(statistic({10}, {13}, kCount), 3);
  EXPECT_DOUBLE_EQ(statistic({10}, {13}, kScore), -3);
}

TEST(RoundStatistic, ComparesCountsByDifferenceEvenAtZeroAndBelow) {
  EXPECT_DOUBLE_EQ(statistic({0, 0, 0}, {0, 0, 5}, kCount), 0);
  EXPECT_DOUBLE_EQ(statistic({-3}, {-1}, kCount), 2);
}

TEST(RoundStatistic, LeavesOutPairsThatLackAValue) {
  EXPECT_DOUBLE_EQ(statistic({1, kNan, 1}, {2, 2, kNan}, kTime), std::log(2.0));
  EXPECT_DOUBLE_EQ(statistic({1, 1}, {2}, kTime), std::log(2.0));
  EXPECT_TRUE(std::isnan(statistic({1, 1}, {kNan, kInf}, kTime)));
  EXPECT_TRUE(std::isnan(statistic({}, {}, kTime)));
}

TEST(RoundStatistic, ChangesItsSignWithTheArmsAndItsShiftWithTheirRatio) {
  Noise noise(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> a;
    std::vector<double> b;
    const int n = 1 + trial % 6;
    for (int i = 0; i < n; ++i) {
      a.push_back(std::exp(noise(0, 1)));
      b.push_back(std::exp(noise(0, 1)));
    }
    for (const Metric& metric : {kTime, kRate, kCount, kScore}) {
      EXPECT_NEAR(round_statistic(a, b, metric), -round_statistic(b, a, metric), 1e-12);
    }
    std::vector<double> slower = b;
    for (double& value : slower) value *= 1.5;
    EXPECT_NEAR(round_statistic(a, slower, kTime), round_statistic(a, b, kTime) + std::log(1.5),
                1e-12);
  }
}

TEST(MakeColumns, HasOnePerCaseAndMetricWithValuesInBothArms) {
  Session session = empty_session({"a", "b"}, {kTime, kCount});
  add_round(session);
  add_case(session, 1, {{{1}, {2}}, {{4}, {kNan}}});
  add_case(session, 0, {{{1, 2, 3}, {1, 2, 3}}, {{4}, {5}}});
  add_round(session);
  add_case(session, 0, {{{1}, {4}}, {{4}, {4}}});
  const std::vector<Column> columns = make_columns(session, 2);
  ASSERT_EQ(columns.size(), 3U);  // b has no count in the candidate
  EXPECT_EQ(columns[0].case_index, 0U);
  EXPECT_EQ(columns[0].metric_index, 0U);
  EXPECT_THAT(columns[0].d, ElementsAre(0, DoubleNear(std::log(4.0), 1e-15)));
  EXPECT_THAT(columns[0].baseline, ElementsAre(2, 1));
  EXPECT_THAT(columns[0].candidate, ElementsAre(2, 4));
  EXPECT_EQ(columns[1].metric_index, 1U);
  EXPECT_THAT(columns[1].d, ElementsAre(1, 0));
  EXPECT_EQ(columns[2].case_index, 1U);
  EXPECT_EQ(columns[2].d.size(), 1U);
}

TEST(MakeColumns, UsesTheFirstRoundsOnly) {
  Session session = empty_session({"a"});
  for (int r = 0; r < 5; ++r) add_ratio_round(session, [&](std::size_t) { return 0.1 * r; });
  for (int rounds = 0; rounds <= 5; ++rounds) {
    const std::vector<Column> columns = make_columns(session, rounds);
    ASSERT_EQ(columns.size(), rounds == 0 ? 0U : 1U);
    if (rounds > 0) {
      EXPECT_EQ(columns[0].d.size(), static_cast<std::size_t>(rounds));
    }
  }
}

TEST(MakeColumns, TakesGateAndToleranceFromThePolicy) {
  Session session = empty_session({"a", "shown/1"}, {kTime, kCount});
  session.policy.tolerance = 0.05;
  CaseRule shown;
  shown.match = "shown/*";
  shown.gate = false;
  CaseRule counts;
  counts.metric = "allocations";
  counts.tolerance = 2;
  session.policy.cases = {shown, counts};
  add_round(session);
  for (const std::size_t c : {0U, 1U}) add_case(session, c, {{{1}, {1}}, {{1}, {1}}});
  const std::vector<Column> columns = make_columns(session, 1);
  ASSERT_EQ(columns.size(), 4U);
  EXPECT_TRUE(columns[0].gated);
  EXPECT_FALSE(columns[2].gated);
  EXPECT_DOUBLE_EQ(columns[0].tolerance, 0.05);
  EXPECT_DOUBLE_EQ(columns[1].tolerance, 2);
  const stats::ColumnRule time = column_rule(columns[0], kTime);
  EXPECT_NEAR(time.tau, std::log(1.05), 1e-15);
  EXPECT_FALSE(time.closed_pass);
  const stats::ColumnRule count = column_rule(columns[1], kCount);
  EXPECT_DOUBLE_EQ(count.tau, 2);
  EXPECT_TRUE(count.closed_pass);
}

TEST(RunLooks, StopsAtTheRoundsThatThereAre) {
  Session session = empty_session({"slow"}, {kTime}, 10);
  for (int r = 0; r < 9; ++r) add_ratio_round(session, [](std::size_t) { return 0.5; });
  EXPECT_EQ(run_looks(session, make_columns(session, 9), Side::kSlower)[0].outcome,
            stats::Outcome::kUndecided);
  add_ratio_round(session, [](std::size_t) { return 0.5; });
  EXPECT_EQ(run_looks(session, make_columns(session, 10), Side::kSlower)[0].outcome,
            stats::Outcome::kFail);
}

TEST(RunLooks, DecidesNothingAtLooksBelowSixRounds) {
  Session session = empty_session({"slow"});
  session.schedule.looks = {3};
  session.schedule.look_alpha = {0.0};
  for (int r = 0; r < 3; ++r) add_ratio_round(session, [](std::size_t) { return 0.5; });
  EXPECT_EQ(run_looks(session, make_columns(session, 3), Side::kSlower)[0].outcome,
            stats::Outcome::kUndecided);
  EXPECT_THAT(open_cases(session), ElementsAre(true));
}

TEST(RunLooks, LetsColumnsThatDoNotGatePassButNeverFail) {
  Session session = empty_session({"slow", "fast"}, {kTime}, 10);
  CaseRule rule;
  rule.gate = false;
  session.policy.cases = {rule};
  for (int r = 0; r < 10; ++r) {
    add_ratio_round(session, [](std::size_t c) { return c == 0 ? 0.5 : -0.5; });
  }
  const auto states = run_looks(session, make_columns(session, 10), Side::kSlower);
  EXPECT_EQ(states[0].outcome, stats::Outcome::kUndecided);
  EXPECT_TRUE(std::isnan(states[0].p_adjusted));
  EXPECT_EQ(states[1].outcome, stats::Outcome::kPass);
  EXPECT_THAT(open_cases(session), ElementsAre(false, false));
}

// A case whose process stayed behind in round 9 has all its values, but must not be in the family.
TEST(RunLooks, LeavesACaseOutOfTheFamilyFromItsFaultOn) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Session session = empty_session({"a", "b"}, {kTime}, 10);
    Session alone = empty_session({"a"}, {kTime}, 10);
    Noise noise(seed);
    for (int r = 0; r < 10; ++r) {
      const double a = noise(0.03, 0.02);
      add_round(session);
      add_ratio(session, 0, a);
      add_ratio(session, 1, noise(0.03, 0.02));
      add_round(alone);
      add_ratio(alone, 0, a);
    }
    add_fault(session, 1, 1, FaultKind::kLeftover, "", 9);
    const auto states = run_looks(session, make_columns(session, 10), Side::kSlower);
    const auto expected = run_looks(alone, make_columns(alone, 10), Side::kSlower);
    EXPECT_EQ(states[0].outcome, expected[0].outcome);
    EXPECT_EQ(states[0].p_adjusted, expected[0].p_adjusted);
    EXPECT_FALSE(std::isnan(states[0].p_adjusted));
    EXPECT_FALSE(open_cases(session)[1]);
  }
}

TEST(OpenCases, AreThoseWithAnUndecidedGatedColumn) {
  Session session = empty_session({"same", "slow", "noisy", "broken"}, {kTime}, 16);
  Noise noise(11);
  for (int r = 0; r < 10; ++r) {
    add_ratio_round(session, [&](std::size_t c) {
      return c == 0 ? noise(0, 1e-4) : c == 1 ? noise(0.3, 1e-3) : noise(0, 0.5);
    });
  }
  add_fault(session, 3, 0, FaultKind::kTimeout, "", 10);
  EXPECT_THAT(open_cases(session), ElementsAre(false, false, true, false));
}

TEST(OpenCases, StayWhileAnImprovementIsToBeClaimed) {
  Session session = empty_session({"faster", "much faster", "same", "hardly faster"}, {kTime}, 16);
  const auto add = [&](double d) {
    const double others[] = {-0.5, 0.001, -0.005};
    add_ratio_round(session, [&](std::size_t c) { return c == 0 ? d : others[c - 1]; });
  };
  for (const double d : {-0.030, -0.024, -0.025, -0.018, -0.026, -0.023}) add(d);
  // No look of 6 rounds can name anything; what looks faster already waits for the first that can.
  EXPECT_THAT(open_cases(session), ElementsAre(false, true, false, false));
  session.policy.claim_improvements = true;
  EXPECT_THAT(open_cases(session), ElementsAre(true, true, false, true));
  for (const double d : {-0.024, -0.025, -0.023, -0.024}) add(d);
  EXPECT_THAT(open_cases(session), ElementsAre(false, false, false, true));
  // A claim rests on the look that made it, whatever comes later.
  for (int r = 10; r < 16; ++r) add(-0.01);
  const auto faster = run_looks(session, make_columns(session, 16), Side::kFaster);
  for (const std::size_t c : {0U, 1U}) {
    EXPECT_EQ(faster[c].outcome, stats::Outcome::kFail) << c;
    EXPECT_EQ(faster[c].rounds, 10) << c;
  }
  const auto slower = run_looks(session, make_columns(session, 16), Side::kSlower);
  for (const auto& state : slower) EXPECT_EQ(state.outcome, stats::Outcome::kPass);
  EXPECT_EQ(slower[3].rounds, 6);  // never shown: it rests on the look at which it passed
}

TEST(OpenCases, AnImprovementThatTheFirstNamingLookDoesNotShowIsLeft) {
  Session session = empty_session({"faster"}, {kTime}, 16);
  for (int r = 0; r < 6; ++r) add_ratio_round(session, [](std::size_t) { return -0.1; });
  EXPECT_THAT(open_cases(session), ElementsAre(true));
  for (int r = 6; r < 10; ++r) add_ratio_round(session, [](std::size_t) { return 0.01; });
  EXPECT_THAT(open_cases(session), ElementsAre(false));
}

}  // namespace
}  // namespace perfgate
