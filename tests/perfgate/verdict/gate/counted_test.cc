// SPDX-License-Identifier: Apache-2.0
// Instructions beside a time that is thirty times as noisy as what they tell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::find_column;

constexpr int kCountedRounds = 16;
const Metric kInstructions{"instructions", "1", Direction::kLower, Kind::kTime};

// time_sd, count_sd: of the log ratio of a round. slower, more: that of the candidate.
struct CountedTruth {
  double slower = 0;
  double more = 0;
  double time_sd = 0.03;
  double count_sd = 1e-4;
};

Session CountedSession(const CountedTruth& truth, std::uint64_t seed) {
  Session session = synthetic::empty_session({"x"}, {Metric{}, kInstructions}, kCountedRounds);
  session.policy.count = {"instructions"};
  synthetic::Noise noise(seed);
  for (int r = 0; r < kCountedRounds; ++r) {
    synthetic::add_round(session);
    const double time = 1e-3 * std::exp(noise(0, 0.05));
    const double d = noise(truth.slower, truth.time_sd);
    const double count = 1e6 * std::exp(noise(truth.more, truth.count_sd));
    synthetic::add_case(session, 0, {{{time}, {time * std::exp(d)}}, {{1e6}, {count}}});
  }
  return session;
}

SuiteVerdict CountedGate(const CountedTruth& truth, std::uint64_t seed) {
  return decide(CountedSession(truth, seed));
}

TEST(Counted, TwoThousandthsMoreInstructionsAreNamedWhereTheTimeCannotSay) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SuiteVerdict suite = CountedGate({.more = 0.002}, seed);
    EXPECT_EQ(find_column(suite, "x", "instructions").verdict, Verdict::kRegression) << seed;
    EXPECT_NE(find_column(suite, "x").verdict, Verdict::kRegression) << seed;
    EXPECT_EQ(suite.exit, Exit::kRegression);
  }
}

TEST(Counted, HalfAThousandthIsWithinTheTolerance) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(find_column(CountedGate({.more = 0.0005}, seed), "x", "instructions").verdict,
              Verdict::kNoRegression)
        << seed;
  }
}

// A program that always does the same: every round has the same ratio, and no spread at all.
TEST(Counted, CountsWithoutAnySpreadAreDecided) {
  const SuiteVerdict more = CountedGate({.more = 0.002, .count_sd = 0}, 1);
  EXPECT_EQ(find_column(more, "x", "instructions").verdict, Verdict::kRegression);
  const SuiteVerdict same = CountedGate({.more = 0, .count_sd = 0}, 1);
  EXPECT_EQ(find_column(same, "x", "instructions").verdict, Verdict::kNoRegression);
}

TEST(Counted, FewerInstructionsDoNotExcuseASlowerCase) {
  const SuiteVerdict suite = CountedGate({.slower = 0.1, .more = -0.05}, 1);
  EXPECT_EQ(find_column(suite, "x").verdict, Verdict::kRegression);
  EXPECT_EQ(suite.exit, Exit::kRegression);
}

// alpha is 1 % of gates; 8 of 300 would have a chance of 1 in 100.
TEST(Counted, ThePairOfMetricsHasOneErrorRate) {
  int named = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const CountedTruth at_the_edge{.slower = std::log1p(0.02), .more = std::log1p(0.001)};
    named += CountedGate(at_the_edge, seed).exit == Exit::kRegression ? 1 : 0;
  }
  EXPECT_LE(named, 8);
}

}  // namespace
}  // namespace perfgate
