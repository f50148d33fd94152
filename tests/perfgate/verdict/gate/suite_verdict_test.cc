// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/suite_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
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
using synthetic::find_column;
using synthetic::kCount;
using synthetic::kNan;
using synthetic::kRate;
using synthetic::kScore;
using synthetic::kTime;
using synthetic::Noise;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

// Cases around `means` (log ratios) with a round-to-round standard deviation.
Session noisy(const std::vector<double>& means, double sd, int rounds, std::uint64_t seed = 1) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < means.size(); ++c) names.push_back("case" + std::to_string(c));
  Session session = empty_session(names, {kTime}, rounds);
  Noise noise(seed);
  for (int r = 0; r < rounds; ++r) {
    add_ratio_round(session, [&](std::size_t c) { return noise(means[c], sd); });
  }
  return session;
}

TEST(Decide, FindsARegressionAmongUnchangedCases) {
  const SuiteVerdict suite = decide(noisy({0, 0.10, 0}, 0.005, 10));
  EXPECT_EQ(suite.exit, Exit::kRegression);
  const ColumnVerdict& slow = find_column(suite, "case1");
  EXPECT_EQ(slow.verdict, Verdict::kRegression);
  EXPECT_EQ(slow.claim, Claim::kStrong);
  EXPECT_NEAR(slow.effect.estimate, std::expm1(0.10), 0.01);
  EXPECT_LT(slow.effect.lo, slow.effect.estimate);
  EXPECT_GT(slow.effect.hi, slow.effect.estimate);
  ASSERT_TRUE(slow.p_adjusted);
  EXPECT_LE(*slow.p_adjusted, 0.01);
  EXPECT_EQ(find_column(suite, "case0").verdict, Verdict::kNoRegression);
  EXPECT_EQ(suite.columns.front().case_name, "case1");  // worst first
  EXPECT_THAT(suite.summary, HasSubstr("1 regression"));
}

// The suite's test may find a regression whose interval still reaches below the tolerance: of ten
// rounds one is faster than the tolerance, and 7 of 1024 sign vectors do as well as the data.
TEST(Decide, ARegressionIsStrongOnlyWhereItsIntervalIsBeyondTheTolerance) {
  const std::vector<double> excess = {-0.010, 0.008, 0.008, 0.008, 0.008,
                                      0.008,  0.030, 0.030, 0.030, 0.030};
  Session session = empty_session({"case0"}, {kTime}, 10);
  for (const double x : excess) {
    add_ratio_round(session, [&](std::size_t) { return std::log1p(0.02) + x; });
  }
  const SuiteVerdict suite = decide(session);
  const ColumnVerdict& slow = find_column(suite, "case0");
  EXPECT_EQ(slow.verdict, Verdict::kRegression);
  ASSERT_TRUE(slow.p_adjusted);
  EXPECT_NEAR(*slow.p_adjusted, 7.0 / 1024.0, 1e-12);
  EXPECT_LT(slow.effect.lo, 0.02);
  EXPECT_GT(slow.effect.lo, 0.0);
  EXPECT_EQ(slow.claim, Claim::kDirectional);
}

// A value that cannot be spoils its metric and no other.
TEST(Decide, FaultsOfOneMetricStayThere) {
  Session session = empty_session({"case0"}, {kTime, kRate}, 6);
  for (int r = 0; r < 6; ++r) {
    add_round(session);
    add_case(session, 0, {{{1.0}, {1.0 + r * 1e-4}}, {{kNan}, {kNan}}});
  }
  add_fault(session, 0, 1, FaultKind::kBadValue, "rate is NaN", 0);
  session.faults.back().metric = "rate";
  SuiteVerdict suite = decide(session);
  EXPECT_EQ(suite.exit, Exit::kInvalid);
  EXPECT_EQ(find_column(suite, "case0").verdict, Verdict::kNoRegression)
      << find_column(suite, "case0").reason;
  EXPECT_EQ(find_column(suite, "case0", "rate").verdict, Verdict::kInvalid);
  EXPECT_THAT(find_column(suite, "case0", "rate").reason, HasSubstr("rate is NaN"));
  EXPECT_EQ(suite.columns.size(), 2U);
  session.policy.cases.push_back(
      {.match = "*", .metric = "rate", .tolerance = std::nullopt, .gate = false});
  suite = decide(session);
  EXPECT_EQ(suite.exit, Exit::kPass);
  EXPECT_EQ(find_column(suite, "case0", "rate").verdict, Verdict::kInvalid);
  // In one arm only it is that, and no missing metric.
  for (RoundInfo& round : session.rounds) {
    for (double& value : round.cases[0].values[1][0]) value = 5;
  }
  suite = decide(session);
  EXPECT_EQ(find_column(suite, "case0", "rate").verdict, Verdict::kInvalid);
  EXPECT_EQ(suite.columns.size(), 2U);
  // The whole case as before, where the fault names no metric.
  session.faults.back().metric = "";
  EXPECT_EQ(find_column(decide(session), "case0").verdict, Verdict::kInvalid);
}

TEST(Decide, RefusesArmsInTheOtherOrder) {
  Session session = noisy({0, 0.10, 0}, 0.005, 10);
  std::swap(session.arms[0].label, session.arms[1].label);
  try {
    decide(session);
    FAIL() << "a regression would read as an improvement";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kInvalid);
    EXPECT_THAT(error.what(), HasSubstr("arms_swapped"));
  }
}

TEST(Decide, PassesAnUnchangedSuiteAndSaysWhere) {
  const SuiteVerdict suite = decide(noisy({0, 0, 0}, 0.003, 6));
  EXPECT_EQ(suite.exit, Exit::kPass);
  for (const ColumnVerdict& column : suite.columns) {
    EXPECT_EQ(column.verdict, Verdict::kNoRegression);
    EXPECT_LT(column.effect.hi, 0.02);
    EXPECT_FALSE(column.rounds_to_pass);
    EXPECT_EQ(column.rounds, 6);
  }
}

TEST(Decide, ClaimsAnImprovementBeyondTheToleranceOnly) {
  const SuiteVerdict suite = decide(noisy({-0.10, -0.015}, 0.001, 10));
  const ColumnVerdict& faster = find_column(suite, "case0");
  EXPECT_EQ(faster.verdict, Verdict::kImprovement);
  EXPECT_EQ(faster.claim, Claim::kStrong);
  EXPECT_LT(faster.effect.hi, 0);
  const ColumnVerdict& slightly = find_column(suite, "case1");
  EXPECT_EQ(slightly.verdict, Verdict::kNoRegression);
  EXPECT_EQ(slightly.claim, Claim::kDirectional);
  EXPECT_EQ(suite.exit, Exit::kPass);
  // In 6 rounds no test can name anything: an interval alone is a direction.
  const ColumnVerdict early = find_column(decide(noisy({-0.10}, 0.001, 6)), "case0");
  EXPECT_EQ(early.verdict, Verdict::kNoRegression);
  EXPECT_EQ(early.claim, Claim::kDirectional);
}

TEST(Decide, PlansForWhatStaysUndecided) {
  const SuiteVerdict suite = decide(noisy({0.0}, 0.20, 10));
  const ColumnVerdict& column = find_column(suite, "case0");
  EXPECT_EQ(suite.exit, Exit::kInconclusive);
  EXPECT_EQ(column.verdict, Verdict::kInconclusive);
  EXPECT_EQ(column.claim, Claim::kNoiseDominated);
  EXPECT_TRUE(column.rounds_to_pass || column.rounds_to_fail);
  ASSERT_TRUE(column.detectable);
  EXPECT_GT(*column.detectable, 0.02);
  EXPECT_GT(column.noise_sd, 0.05);
}

TEST(Decide, LetsBoundedDoubtPassWithAWarning) {
  Session session = noisy({0.010}, 0.02, 10);
  // A machine that is noisy moves both arms.
  Noise machine(2);
  for (RoundInfo& round : session.rounds) {
    const double factor = std::exp(machine(0, 0.02));
    for (auto& arm : round.cases[0].values[0]) {
      for (double& value : arm) value *= factor;
    }
  }
  SuiteVerdict suite = decide(session);
  const ColumnVerdict& column = find_column(suite, "case0");
  ASSERT_EQ(column.verdict, Verdict::kInconclusive);
  ASSERT_LT(column.effect.estimate, 0.02);
  ASSERT_LT(column.effect.hi, 0.10);
  EXPECT_EQ(suite.exit, Exit::kPass);
  EXPECT_THAT(suite.warnings, Contains(HasSubstr("hide_limit")));
  session.policy.hide_limit = column.effect.hi;
  suite = decide(session);
  EXPECT_EQ(suite.exit, Exit::kInconclusive);
  EXPECT_THAT(suite.warnings, Not(Contains(HasSubstr("hide_limit"))));
}

TEST(Decide, ShowsARangeAndDecidesNothingBelowSixRounds) {
  for (int rounds = 1; rounds < 6; ++rounds) {
    SCOPED_TRACE(rounds);
    Session session = noisy({0.5, 0.0}, 0.001, rounds);
    session.schedule.looks = {rounds};  // what a gate of so few rounds records
    session.schedule.look_alpha = {0.0};
    const SuiteVerdict suite = decide(session);
    EXPECT_EQ(suite.exit, Exit::kInconclusive);
    for (const ColumnVerdict& column : suite.columns) {
      EXPECT_EQ(column.verdict, Verdict::kInconclusive);
      EXPECT_EQ(column.claim, Claim::kInsufficient);
      EXPECT_TRUE(std::isnan(column.effect.lo));
      EXPECT_TRUE(std::isnan(column.effect.hi));
      EXPECT_LE(column.effect.range_lo, column.effect.estimate);
      EXPECT_GE(column.effect.range_hi, column.effect.estimate);
      EXPECT_DOUBLE_EQ(column.effect.range_confidence, 1 - std::pow(2.0, 1 - rounds));
      EXPECT_EQ(column.rounds, rounds);
    }
  }
}

TEST(Decide, GatesCountsAndScoresByEquality) {
  Session session =
      empty_session({"equal", "one more", "less", "worse"}, {kTime, kCount, kScore}, 10);
  for (int r = 0; r < 10; ++r) {
    add_round(session);
    add_case(session, 0, {{{1}, {1}}, {{0}, {0}}, {{0.5}, {0.5}}});
    add_case(session, 1, {{{1}, {1}}, {{7}, {8}}, {{0.5}, {0.5}}});
    add_case(session, 2, {{{1}, {1}}, {{7}, {5}}, {{0.5}, {0.5}}});
    add_case(session, 3, {{{1}, {1}}, {{7}, {7}}, {{0.5}, {0.4}}});
  }
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(find_column(suite, "equal", "allocations").verdict, Verdict::kNoRegression);
  EXPECT_EQ(find_column(suite, "one more", "allocations").verdict, Verdict::kRegression);
  EXPECT_DOUBLE_EQ(find_column(suite, "one more", "allocations").effect.estimate, 1);
  EXPECT_EQ(find_column(suite, "less", "allocations").verdict, Verdict::kImprovement);
  EXPECT_EQ(find_column(suite, "equal", "quality").verdict, Verdict::kNoRegression);
  EXPECT_EQ(find_column(suite, "worse", "quality").verdict, Verdict::kRegression);
  EXPECT_NEAR(find_column(suite, "worse", "quality").effect.estimate, 0.1, 1e-12);
  EXPECT_EQ(suite.exit, Exit::kRegression);
}

TEST(Decide, AllowsACountWhatItsRuleNames) {
  Session session = empty_session({"a"}, {kTime, kCount}, 10);
  CaseRule rule;
  rule.metric = "allocations";
  rule.tolerance = 1;
  session.policy.cases = {rule};
  for (int r = 0; r < 10; ++r) {
    add_round(session);
    add_case(session, 0, {{{1}, {1}}, {{7}, {8}}});
  }
  EXPECT_EQ(decide(session).exit, Exit::kPass);
  session.policy.cases[0].tolerance = 0.5;
  EXPECT_EQ(decide(session).exit, Exit::kRegression);
}

TEST(Decide, TreatsALowerRateAsWorse) {
  Session session = empty_session({"drops", "rises"}, {kTime, kRate}, 10);
  Noise noise(4);
  for (int r = 0; r < 10; ++r) {
    add_round(session);
    add_case(session, 0, {{{1}, {1}}, {{100}, {80 * std::exp(noise(0, 0.001))}}});
    add_case(session, 1, {{{1}, {1}}, {{100}, {125 * std::exp(noise(0, 0.001))}}});
  }
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(find_column(suite, "drops", "rate").verdict, Verdict::kRegression);
  EXPECT_NEAR(find_column(suite, "drops", "rate").effect.estimate, 0.25, 0.01);
  EXPECT_EQ(find_column(suite, "rises", "rate").verdict, Verdict::kImprovement);
  EXPECT_NEAR(find_column(suite, "rises", "rate").baseline, 100, 1e-9);
}

TEST(Decide, ShowsColumnsThatDoNotGateWithoutCountingThem) {
  Session session = noisy({0.30, 0.0}, 0.001, 10);
  CaseRule rule;
  rule.match = "case0";
  rule.gate = false;
  session.policy.cases = {rule};
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(suite.exit, Exit::kPass);
  const ColumnVerdict& shown = find_column(suite, "case0");
  EXPECT_FALSE(shown.gated);
  EXPECT_EQ(shown.verdict, Verdict::kRegression);
  EXPECT_NE(shown.claim, Claim::kStrong);  // no test stands behind it
  EXPECT_EQ(suite.columns.back().case_name, "case0");
}

TEST(Decide, MissesAMetricThatOneArmLacks) {
  for (const bool candidate_lacks : {true, false}) {
    Session session = empty_session({"a", "b"}, {kTime, kCount}, 6);
    for (int r = 0; r < 6; ++r) {
      add_round(session);
      add_case(session, 0,
               {{{1}, {1}}, {{candidate_lacks ? 4 : kNan}, {candidate_lacks ? kNan : 4}}});
      add_case(session, 1, {{{1}, {1}}, {{kNan}, {kNan}}});  // neither: nobody's business
    }
    const SuiteVerdict suite = decide(session);
    EXPECT_EQ(suite.columns.size(), 3U);
    const ColumnVerdict& column = find_column(suite, "a", "allocations");
    EXPECT_EQ(column.verdict, candidate_lacks ? Verdict::kMissing : Verdict::kNew);
    EXPECT_THAT(column.reason, HasSubstr(candidate_lacks ? "baseline" : "candidate"));
    EXPECT_DOUBLE_EQ(column.tolerance, 0);
    EXPECT_EQ(suite.exit, candidate_lacks ? Exit::kNotComparable : Exit::kPass);
  }
}

// Twelve rounds in which the arms report the metric as `reports` says, per arm and round; those of
// the last pair are always there where `last` is set.
Session sometimes(const Metric& metric, const std::function<bool(int arm, int round)>& reports,
                  bool last = false) {
  Session session = empty_session({"a"}, {kTime, metric}, 12);
  for (int r = 0; r < 12; ++r) {
    add_round(session);
    const double noise = 1 + 0.0001 * (r % 3);
    add_case(session, 0, {{{1}, {noise}}, {{4}, {4 * noise}}});
    for (int arm = 0; arm < 2; ++arm) {
      std::vector<double>& slices =
          session.rounds.back().cases[0].values[1][static_cast<std::size_t>(arm)];
      if (!reports(arm, r)) std::fill(slices.begin(), slices.end() - (last ? 1 : 0), kNan);
    }
  }
  return session;
}

TEST(Decide, AMetricOfDifferentRoundsInTheTwoArmsIsInvalid) {
  const Metric stage{"stage", "s", Direction::kLower, Kind::kTime};
  // Never together, so that there is no round to judge by.
  SuiteVerdict suite =
      decide(sometimes(stage, [](int arm, int round) { return (arm == 0) == (round < 5); }));
  EXPECT_EQ(find_column(suite, "a", "stage").verdict, Verdict::kInvalid);
  EXPECT_EQ(find_column(suite, "a", "stage").reason,
            "metric_mismatch: only the baseline reports it in slices of rounds 1-5, only the "
            "candidate in slices of rounds 6-12");
  EXPECT_EQ(find_column(suite, "a").verdict, Verdict::kNoRegression);
  EXPECT_EQ(suite.exit, Exit::kInvalid);
  EXPECT_EQ(suite.columns.size(), 2U);

  // Rounds enough are left to pass by.
  suite = decide(sometimes(stage, [](int arm, int round) { return arm == 0 || round != 3; }));
  EXPECT_EQ(find_column(suite, "a", "stage").reason,
            "metric_mismatch: only the baseline reports it in slices of round 4");
  EXPECT_EQ(suite.exit, Exit::kInvalid);
  EXPECT_EQ(suite.columns.size(), 2U);
  suite = decide(
      sometimes(stage, [](int arm, int round) { return arm == 1 || (round != 3 && round < 9); }));
  EXPECT_EQ(find_column(suite, "a", "stage").reason,
            "metric_mismatch: only the candidate reports it in slices of rounds 4, 10-12");
  EXPECT_EQ(suite.exit, Exit::kInvalid);
}

TEST(Decide, EverySliceOfAMetricCounts) {
  const SuiteVerdict suite = decide(sometimes(
      kCount, [](int arm, int round) { return arm == 0 || round != 3; }, true));
  EXPECT_EQ(find_column(suite, "a", "allocations").verdict, Verdict::kInvalid);
  EXPECT_THAT(find_column(suite, "a", "allocations").reason, HasSubstr("slices of round 4"));
}

TEST(Decide, RoundsInWhichNeitherArmReportsAMetricAreNobodys) {
  const SuiteVerdict suite = decide(sometimes(kRate, [](int, int round) { return round < 6; }));
  EXPECT_NE(find_column(suite, "a", "rate").verdict, Verdict::kInvalid);
  EXPECT_EQ(find_column(suite, "a", "rate").rounds, 6);
}

TEST(Decide, AMetricThatDoesNotGateMayBeThereAtTimes) {
  Session session = sometimes(kRate, [](int arm, int round) { return arm == 0 || round != 3; });
  session.policy.cases.push_back(
      {.match = "*", .metric = "rate", .tolerance = std::nullopt, .gate = false});
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(suite.exit, Exit::kPass);
  EXPECT_EQ(find_column(suite, "a", "rate").verdict, Verdict::kInvalid);
}

TEST(Decide, ATimeOfDifferentRoundsIsInvalidToo) {
  Session session = empty_session({"a"}, {kTime}, 12);
  for (int r = 0; r < 12; ++r) {
    add_round(session);
    add_case(session, 0, {{{r < 6 ? 1 : kNan}, {r < 6 ? kNan : 1}}});
  }
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(suite.columns.size(), 1U);
  EXPECT_EQ(suite.exit, Exit::kInvalid);
}

TEST(Decide, KeepsTheVerdictsOfCasesBesideAFault) {
  Session session = noisy({0.0, 0.2, 0.0}, 0.001, 10);
  for (RoundInfo& round : session.rounds) {
    if (round.index >= 3)
      std::erase_if(round.cases, [](const auto& c) { return c.case_index == 2; });
  }
  add_fault(session, 2, 1, FaultKind::kCrashed, "killed by signal 11", 3);
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(suite.exit, Exit::kFailed);
  EXPECT_EQ(suite.columns.size(), 3U);
  EXPECT_EQ(find_column(suite, "case0").verdict, Verdict::kNoRegression);
  EXPECT_EQ(find_column(suite, "case1").verdict, Verdict::kRegression);
  EXPECT_EQ(find_column(suite, "case2").verdict, Verdict::kFailed);
  EXPECT_EQ(find_column(suite, "case2").claim, Claim::kInvalid);
  EXPECT_THAT(find_column(suite, "case2").reason, HasSubstr("signal 11"));
}

TEST(Decide, CallsACaseWithoutRoundsUnmeasured) {
  Session session = noisy({0.0}, 0.001, 6);
  session.cases.push_back({});
  session.cases.back().name = "late";
  const SuiteVerdict suite = decide(session);
  EXPECT_THAT(find_column(suite, "late").reason, StartsWith("unmeasured"));
  EXPECT_EQ(suite.exit, Exit::kInconclusive);
}

TEST(Decide, NeverPassesAnInterruptedSessionButLetsItFail) {
  Session session = noisy({0, 0}, 0.001, 6);
  session.complete = false;
  const SuiteVerdict passed = decide(session);
  EXPECT_EQ(passed.exit, Exit::kInconclusive);
  EXPECT_FALSE(passed.complete);
  session = noisy({0, 0.2}, 0.001, 12);
  session.complete = false;
  EXPECT_EQ(decide(session).exit, Exit::kRegression);
}

TEST(Decide, ComparesNothingAcrossBuildTypes) {
  Session session = noisy({0, 0.2}, 0.001, 10);
  session.arms[1].build.optimized = false;
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(suite.exit, Exit::kNotComparable);
  for (const ColumnVerdict& column : suite.columns) {
    EXPECT_EQ(column.verdict, Verdict::kNotComparable);
    EXPECT_EQ(column.claim, Claim::kInvalid);
    EXPECT_THAT(column.reason, StartsWith("build_type_mismatch"));
  }
}

// The arm decides the blame: a crash stays the candidate's also where the builds differ.
TEST(Decide, KeepsFailedAndInvalidAboveABuildMismatch) {
  for (const auto& [kind, verdict, exit] :
       {std::tuple(FaultKind::kCrashed, Verdict::kFailed, Exit::kFailed),
        std::tuple(FaultKind::kBadValue, Verdict::kInvalid, Exit::kInvalid)}) {
    Session session = empty_session({"a", "b"}, {kTime}, 10);
    session.arms[1].build.sanitizer = "address";
    add_fault(session, 0, 1, kind);
    const SuiteVerdict suite = decide(session);
    EXPECT_EQ(suite.exit, exit);
    EXPECT_EQ(find_column(suite, "a").verdict, verdict);
    EXPECT_THAT(find_column(suite, "a").reason, HasSubstr("build_type_mismatch"));
    EXPECT_EQ(find_column(suite, "b").verdict, Verdict::kNotComparable);
  }
}

TEST(Decide, ExpectsTwoArms) {
  Session session = noisy({0}, 0.001, 6);
  session.arms.pop_back();
  EXPECT_THROW(decide(session), Error);
}

TEST(Decide, IsNotGreenForAnEmptySuite) {
  EXPECT_EQ(decide(empty_session({}, {kTime}, 6)).exit, Exit::kNotComparable);
  EXPECT_EQ(decide_identical(empty_session({})).exit, Exit::kNotComparable);
}

TEST(DecideIdentical, PassesEveryCaseThatCouldBeListed) {
  const SuiteVerdict suite = decide_identical(empty_session({"a", "b"}));
  EXPECT_EQ(suite.exit, Exit::kPass);
  EXPECT_TRUE(suite.identical);
  EXPECT_EQ(suite.columns.size(), 2U);
  for (const ColumnVerdict& column : suite.columns) {
    EXPECT_EQ(column.verdict, Verdict::kNoRegression);
    EXPECT_EQ(column.reason, "identical executable");
  }
}

TEST(DecideIdentical, IsNotGreenForAnExecutableThatBreaksOrLacksACase) {
  Session crash = empty_session({"(the whole executable)"});
  for (const int arm : {0, 1}) add_fault(crash, 0, arm, FaultKind::kCrashed);
  EXPECT_EQ(decide_identical(crash).exit, Exit::kFailed);
  Session absent = empty_session({"there", "expected"});
  for (const int arm : {0, 1}) add_fault(absent, 1, arm, FaultKind::kAbsent);
  const SuiteVerdict suite = decide_identical(absent);
  EXPECT_EQ(suite.exit, Exit::kNotComparable);
  EXPECT_EQ(find_column(suite, "there").verdict, Verdict::kNoRegression);
  EXPECT_EQ(find_column(suite, "expected").verdict, Verdict::kMissing);
}

}  // namespace
}  // namespace perfgate
