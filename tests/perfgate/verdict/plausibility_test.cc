// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/plausibility.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::Noise;

// Rounds of cases whose times per iteration `time_of(case, arm)` gives, with a little noise.
Session NoisySession(const std::vector<std::string>& cases,
                     const std::function<double(std::size_t, std::size_t)>& time_of) {
  Noise noise(7);
  Session session = synthetic::empty_session(cases, {Metric{}}, 16);
  session.policy.plausibility = Plausibility::kJudge;
  for (int r = 0; r < 16; ++r) {
    synthetic::add_round(session);
    for (std::size_t c = 0; c < cases.size(); ++c) {
      synthetic::Values values;
      for (int s = 0; s < synthetic::kPairs; ++s) {
        values.baseline.push_back(time_of(c, 0) * (1 + noise(0, 0.003)));
        values.candidate.push_back(time_of(c, 1) * (1 + noise(0, 0.003)));
      }
      synthetic::add_case(session, c, {values});
    }
  }
  return session;
}

Session Faster(double factor) {
  return NoisySession(
      {"a"}, [factor](std::size_t, std::size_t arm) { return arm == 0 ? 1e-6 : 1e-6 / factor; });
}

void SetAll(Session& session, std::size_t arm, double value) {
  for (RoundInfo& round : session.rounds) {
    for (double& slice : round.cases[0].values[0][arm]) slice = value;
  }
}

ColumnVerdict ColumnOf(const Session& session, const std::string& name = "a") {
  return synthetic::find_column(decide(session), name);
}

void ExpectInvalid(const Session& session, const std::string& reason) {
  const ColumnVerdict column = ColumnOf(session);
  EXPECT_EQ(column.verdict, Verdict::kInvalid);
  EXPECT_EQ(column.reason.rfind(reason, 0), 0U) << column.reason;
  EXPECT_EQ(decide(session).exit, Exit::kInvalid);
}

TEST(Plausibility, OneNumberInEverySliceIsNoTime) {
  for (const std::size_t arm : {0U, 1U}) {
    Session session = Faster(1);
    SetAll(session, arm, 1e-6);
    ExpectInvalid(session, "zero_spread: ");
    session.policy.plausibility = Plausibility::kOff;
    EXPECT_NE(ColumnOf(session).verdict, Verdict::kInvalid);
  }
}

TEST(Plausibility, OneOtherSliceIsSpread) {
  Session session = Faster(1);
  SetAll(session, 1, 1e-6);
  session.rounds[9].cases[0].values[0][1][2] = 1.001e-6;
  EXPECT_EQ(ColumnOf(session).verdict, Verdict::kNoRegression);
}

TEST(Plausibility, CountsAndPooledValuesMayBeEqual) {
  Session session = Faster(1);
  session.metrics.push_back(synthetic::kCount);
  session.metrics.push_back({"request_p50", "s", Direction::kLower, Kind::kTime});
  for (RoundInfo& round : session.rounds) {
    round.cases[0].values.push_back({{3, 3, 3}, {3, 3, 3}});
    const std::vector<double> pooled = {1e-6, synthetic::kNan, synthetic::kNan};
    round.cases[0].values.push_back({pooled, pooled});
  }
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(synthetic::find_column(suite, "a").verdict, Verdict::kNoRegression);
  EXPECT_EQ(synthetic::find_column(suite, "a", "allocations").verdict, Verdict::kNoRegression);
}

TEST(Plausibility, ALargeSpeedupNeedsACheck) {
  EXPECT_EQ(ColumnOf(Faster(4)).verdict, Verdict::kImprovement);
  Session session = Faster(6);
  ExpectInvalid(session, "unchecked_speedup: ");
  session.policy.unchecked_speedup = 8;
  EXPECT_EQ(ColumnOf(session).verdict, Verdict::kImprovement);
  session.policy.unchecked_speedup = 0;
  EXPECT_EQ(ColumnOf(session).verdict, Verdict::kImprovement);
  session.policy.unchecked_speedup = 5;
  session.cases[0].checked = true;
  EXPECT_EQ(ColumnOf(session).verdict, Verdict::kImprovement);
}

TEST(Plausibility, APromiseIsACheckWhereItIsKept) {
  Session session = Faster(6);
  session.cases[0].result = "sum";
  ExpectInvalid(session, "unchecked_speedup: ");
  session.metrics.push_back({"result_digest", "", Direction::kLower, Kind::kCount});
  for (RoundInfo& round : session.rounds) {
    round.cases[0].values.push_back({{9, 9, 9}, {9, 9, 9}});
  }
  EXPECT_EQ(ColumnOf(session).verdict, Verdict::kImprovement);
  session.rounds[3].cases[0].values[1][1][1] = 8;
  ExpectInvalid(session, "invalid: candidate: another result");
}

TEST(Plausibility, APromiseHoldsHoweverFastTheCandidateIs) {
  Session session = Faster(1);
  session.cases[0].result = "sum";
  EXPECT_EQ(ColumnOf(session).verdict, Verdict::kNoRegression);
  session.metrics.push_back({"result_digest", "", Direction::kLower, Kind::kCount});
  for (RoundInfo& round : session.rounds) {
    round.cases[0].values.push_back({{9, 9, 9}, {9, 9, 9}});
  }
  EXPECT_EQ(ColumnOf(session).verdict, Verdict::kNoRegression);
  for (RoundInfo& round : session.rounds) round.cases[0].values[1][1] = {8, 8, 8};
  ExpectInvalid(session, "invalid: candidate: another result");
  // Of different results neither is promised by both.
  session.cases[0].result.clear();
  EXPECT_EQ(ColumnOf(session).verdict, Verdict::kNoRegression);
}

TEST(Plausibility, NobodyMovesMoreBytesThanTheCeiling) {
  const auto session_of = [](double baseline_s, double candidate_s) {
    Session session = NoisySession({"a", "copy"}, [=](std::size_t c, std::size_t arm) {
      if (c == 1) return 1e-6;
      return arm == 0 ? baseline_s : candidate_s;
    });
    for (CaseInfo& info : session.cases) info.work.bytes = 1e4;
    session.cases[0].work.ceiling = "copy";
    return session;
  };
  EXPECT_EQ(ColumnOf(session_of(1e-6, 0.8e-6)).verdict, Verdict::kImprovement);
  ExpectInvalid(session_of(1e-6, 0.5e-6), "above_ceiling: ");
  // Then the declaration is wrong.
  EXPECT_EQ(ColumnOf(session_of(0.6e-6, 0.5e-6)).verdict, Verdict::kImprovement);
}

TEST(Plausibility, TheVerdictCountsWhatIsChecked) {
  Session session = NoisySession({"a", "b", "c"}, [](std::size_t, std::size_t) { return 1e-6; });
  session.cases[0].checked = true;
  session.cases[1].result = "sum";
  CaseRule rule;
  rule.match = "b";
  rule.gate = false;
  session.policy.cases.push_back(rule);
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(suite.gated_cases, 2);
  EXPECT_EQ(suite.checked_cases, 1);
}

}  // namespace
}  // namespace perfgate
