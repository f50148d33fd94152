// SPDX-License-Identifier: Apache-2.0
// The rules of one comparison: each alone, and each pair of which both would apply.
#include "perfgate/verdict/gate/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::kTokens;

// Two cases, time and rate, ten rounds without a difference.
Session MeasuredColumn() {
  Session session = synthetic::empty_session({"a", "b"}, {Metric{}, kTokens}, 10);
  for (int r = 0; r < 10; ++r) {
    synthetic::add_round(session);
    for (std::size_t c = 0; c < 2; ++c) {
      synthetic::add_case(session, c, {{{1.0 + r * 1e-3}, {1.0 + r * 1e-3}}, {{5}, {5}}});
    }
  }
  return session;
}

void FailMetric(Session& session, std::size_t c) {
  synthetic::add_fault(session, c, 1, FaultKind::kBadValue, "is not finite");
  session.faults.back().metric = "tokens";
}

void DropRate(Session& session, std::size_t c) {
  for (RoundInfo& round : session.rounds) {
    for (double& value : round.cases[c].values[1][1]) value = synthetic::kNan;
  }
}

ComparisonRule RuleOf(const Session& session, std::size_t c, std::size_t m) {
  const auto comparison = JudgeComparison(SuiteEvidence(session), {c, m});
  EXPECT_TRUE(comparison.has_value());
  return comparison ? comparison->rule : ComparisonRule::kUnmeasured;
}

TEST(Comparison, RoundsDecideWhatBothArmsReport) {
  const Session session = MeasuredColumn();
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(RuleOf(session, c, m), ComparisonRule::kRounds);
  }
}

TEST(Comparison, AFailedCaseIsSaidOnceAndHidesItsMetrics) {
  Session session = MeasuredColumn();
  synthetic::add_fault(session, 0, 1, FaultKind::kCrashed);
  FailMetric(session, 0);
  EXPECT_EQ(RuleOf(session, 0, 0), ComparisonRule::kCaseFault);
  EXPECT_FALSE(JudgeComparison(SuiteEvidence(session), {0, 1}).has_value());
  EXPECT_EQ(RuleOf(session, 1, 0), ComparisonRule::kRounds);
}

TEST(Comparison, AFaultOfAMetricGoesBeforeItsRounds) {
  Session session = MeasuredColumn();
  FailMetric(session, 0);
  EXPECT_EQ(RuleOf(session, 0, 1), ComparisonRule::kMetricFault);
  EXPECT_EQ(RuleOf(session, 0, 0), ComparisonRule::kRounds);
  DropRate(session, 0);
  EXPECT_EQ(RuleOf(session, 0, 1), ComparisonRule::kMetricFault);
}

TEST(Comparison, AMetricOfOneArmIsMissingOrNew) {
  Session session = MeasuredColumn();
  DropRate(session, 0);
  const auto missing = JudgeComparison(SuiteEvidence(session), {0, 1});
  ASSERT_TRUE(missing.has_value());
  EXPECT_EQ(missing->rule, ComparisonRule::kOneSided);
  EXPECT_EQ(missing->verdict.verdict, Verdict::kMissing);
  const Session swapped = synthetic::mirrored(session);
  EXPECT_EQ(JudgeComparison(SuiteEvidence(swapped), {0, 1})->verdict.verdict, Verdict::kNew);
}

TEST(Comparison, ACaseWithoutRoundsIsUnmeasuredOnce) {
  const Session session = synthetic::empty_session({"a"}, {Metric{}, kTokens}, 10);
  EXPECT_EQ(RuleOf(session, 0, 0), ComparisonRule::kUnmeasured);
  EXPECT_FALSE(JudgeComparison(SuiteEvidence(session), {0, 1}).has_value());
}

// No case is lost and none is judged twice, whatever went wrong.
TEST(Comparison, EveryCaseHasATimeOrARejectedOne) {
  Session session = MeasuredColumn();
  synthetic::add_fault(session, 0, 0, FaultKind::kSkipped);
  DropRate(session, 1);
  const SuiteVerdict suite = decide(session);
  std::set<std::pair<std::string, std::string>> seen;
  for (const ColumnVerdict& comparison : suite.columns) {
    EXPECT_TRUE(seen.emplace(comparison.case_name, comparison.metric.name).second);
  }
  EXPECT_TRUE(seen.contains({"a", "real_time"}));
  EXPECT_TRUE(seen.contains({"b", "real_time"}));
}

}  // namespace
}  // namespace perfgate
