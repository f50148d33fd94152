// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/column_verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/verdict/gate/gate.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

struct Judged {
  ColumnVerdict verdict;
  double tau = 0;
};

// One case whose candidate is slower by `d` (a log ratio) with so much noise, judged after
// `rounds`.
Judged Judge(double d, double sd, int rounds, double tolerance, stats::Outcome outcome,
             bool gated = true, stats::Outcome exchanged = stats::Outcome::kUndecided) {
  Session session = synthetic::empty_session({"a"}, {Metric{}}, rounds);
  session.policy.tolerance = tolerance;
  synthetic::Noise noise(7);
  for (int r = 0; r < rounds; ++r) {
    synthetic::add_ratio_round(session, [&](std::size_t) { return noise(d, sd); });
  }
  Column column = make_columns(session, rounds).at(0);
  column.gated = gated;
  BothSides states;
  states.slower.outcome = outcome;
  states.faster.outcome = exchanged;
  states.slower.rounds = states.faster.rounds = rounds;
  ColumnContext context;
  context.alpha_last = 0.01;
  return {judge_column(session, column, states, context), std::log1p(tolerance)};
}

TEST(ColumnVerdict, AnOutcomeOfTheTestBecomesTheVerdict) {
  using stats::Outcome;
  EXPECT_EQ(Judge(0.10, 1e-3, 10, 0.02, Outcome::kFail).verdict.verdict, Verdict::kRegression);
  EXPECT_EQ(Judge(0.00, 1e-3, 10, 0.02, Outcome::kPass).verdict.verdict, Verdict::kNoRegression);
  EXPECT_EQ(Judge(-0.1, 1e-3, 10, 0.02, Outcome::kPass, true, Outcome::kFail).verdict.verdict,
            Verdict::kImprovement);
  EXPECT_EQ(Judge(0.01, 5e-2, 10, 0.02, Outcome::kUndecided).verdict.verdict,
            Verdict::kInconclusive);
}

// An improvement is a claim as a regression is one: an interval alone does not make it.
TEST(ColumnVerdict, AnImprovementNeedsTheTestWithTheArmsExchanged) {
  using stats::Outcome;
  const ColumnVerdict shown = Judge(-0.1, 1e-3, 10, 0, Outcome::kPass).verdict;
  EXPECT_LT(shown.effect.hi, 0);
  EXPECT_EQ(shown.verdict, Verdict::kNoRegression);
  EXPECT_EQ(shown.claim, Claim::kDirectional);
  const ColumnVerdict tested =
      Judge(-0.1, 1e-3, 10, 0, Outcome::kPass, true, Outcome::kFail).verdict;
  EXPECT_EQ(tested.verdict, Verdict::kImprovement);
  EXPECT_EQ(tested.claim, Claim::kStrong);
  EXPECT_EQ(Judge(-0.1, 1e-3, 10, 0, Outcome::kPass, false).verdict.verdict, Verdict::kImprovement)
      << "what does not gate has no test";
}

// What does not gate has no place in the suite's test, so its interval alone may speak.
TEST(ColumnVerdict, UngatedSlownessIsSaidByItsInterval) {
  EXPECT_EQ(Judge(0.10, 1e-3, 10, 0.02, stats::Outcome::kUndecided, false).verdict.verdict,
            Verdict::kRegression);
  EXPECT_EQ(Judge(0.10, 1e-3, 10, 0.02, stats::Outcome::kUndecided, true).verdict.verdict,
            Verdict::kInconclusive);
}

TEST(ColumnVerdict, AClaimIsAsStrongAsTheIntervalAllows) {
  using stats::Outcome;
  EXPECT_EQ(Judge(0.10, 1e-3, 10, 0.02, Outcome::kFail).verdict.claim, Claim::kStrong);
  // A regression that the test has not shown is not strong, however far its interval lies.
  EXPECT_EQ(Judge(0.10, 1e-3, 10, 0.02, Outcome::kUndecided, false).verdict.claim,
            Claim::kDirectional);
  EXPECT_EQ(Judge(0.01, 1e-4, 10, 0.02, Outcome::kPass).verdict.claim, Claim::kDirectional);
  EXPECT_EQ(Judge(0.00, 5e-2, 10, 0.02, Outcome::kUndecided).verdict.claim, Claim::kNoiseDominated);
  EXPECT_EQ(Judge(0.10, 1e-3, 5, 0.02, Outcome::kUndecided).verdict.claim, Claim::kInsufficient);
}

// Below 6 rounds there is no interval at a level worth printing: only what was seen.
TEST(ColumnVerdict, FewRoundsHaveARange) {
  const ColumnVerdict few = Judge(0.05, 1e-3, 5, 0.02, stats::Outcome::kUndecided).verdict;
  EXPECT_TRUE(std::isnan(few.effect.lo));
  EXPECT_LE(few.effect.range_lo, few.effect.estimate);
  EXPECT_GE(few.effect.range_hi, few.effect.estimate);
  const ColumnVerdict enough = Judge(0.05, 1e-3, 6, 0.02, stats::Outcome::kUndecided).verdict;
  EXPECT_LE(enough.effect.lo, enough.effect.estimate);
  EXPECT_GE(enough.effect.hi, enough.effect.estimate);
}

// The printed numbers are fractions, not log ratios.
TEST(ColumnVerdict, EffectsArePrintedAsFractions) {
  EXPECT_NEAR(Judge(std::log(2.0), 1e-6, 10, 0.02, stats::Outcome::kFail).verdict.effect.estimate,
              1.0, 1e-4);
}

TEST(ColumnVerdict, AnOpenComparisonSaysHowManyMoreRounds) {
  const ColumnVerdict open = Judge(0.0, 3e-2, 10, 0.02, stats::Outcome::kUndecided).verdict;
  ASSERT_TRUE(open.rounds_to_pass.has_value());
  EXPECT_GE(*open.rounds_to_pass, 1);
  EXPECT_FALSE(Judge(0.0, 1e-3, 10, 0.02, stats::Outcome::kPass).verdict.rounds_to_pass);
}

}  // namespace
}  // namespace perfgate
