// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/ablation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::add_fault;
using synthetic::add_ratio_round;
using synthetic::empty_session;
using synthetic::Noise;

// Two cases under one option, with these log ratios.
struct Measured {
  Session session;
  std::vector<Toggle> toggles;
};

Measured measured(double first, double second, double sd, int rounds, std::uint64_t seed = 1) {
  Measured result;
  result.session = empty_session({"a/x:1", "b/x:1"}, {Metric{}}, rounds);
  result.toggles = {{"x:1", "a", "a/x:1", 0, 1}, {"x:1", "b", "b/x:1", 2, 3}};
  Noise noise(seed);
  for (int r = 0; r < rounds; ++r) {
    add_ratio_round(result.session,
                    [&](std::size_t c) { return noise(c == 0 ? first : second, sd); });
  }
  return result;
}

Promotion promotion(const Measured& m) {
  const Ablation ablation = decide_ablation(m.session, m.toggles);
  EXPECT_EQ(ablation.rows.size(), 1U);
  return ablation.rows.front().promotion;
}

TEST(Ablation, DecidesByAllCasesOfAnOption) {
  constexpr double kNoise = 0.004;
  EXPECT_EQ(promotion(measured(0, 0, kNoise, 16)), Promotion::kNotMaterial);
  EXPECT_EQ(promotion(measured(-0.1, 0, kNoise, 16)), Promotion::kPromote);
  EXPECT_EQ(promotion(measured(0.1, 0, kNoise, 16)), Promotion::kRegresses);
  EXPECT_EQ(promotion(measured(-0.1, 0.1, kNoise, 16)), Promotion::kRejected);
}

TEST(Ablation, NoiseAsWideAsTheToleranceDecidesNothing) {
  EXPECT_EQ(promotion(measured(0, 0, 0.05, 16)), Promotion::kUnresolved);
  // A gain in one case does not promote while another one is open.
  Measured half = measured(-0.3, 0, 0.05, 16);
  EXPECT_EQ(promotion(half), Promotion::kUnresolved);
  EXPECT_THAT(open_ablation_cases(half.session), testing::ElementsAre(false, true));
  EXPECT_EQ(promotion(measured(0, 0, 0.0001, 5)), Promotion::kUnresolved);
}

// 200 tables of two cases at alpha 1 %: more than 8 alarms have a chance of 1 in 4,000.
TEST(Ablation, TwoNamesOfOneSettingAreHardlyEverWorse) {
  int worse = 0, better = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Promotion found = promotion(measured(0, 0, 0.03, 16, seed));
    worse += found == Promotion::kRegresses || found == Promotion::kRejected ? 1 : 0;
    better += found == Promotion::kPromote ? 1 : 0;
  }
  EXPECT_LE(worse, 8);
  EXPECT_LE(better, 8);
}

TEST(Ablation, CountsRoundsByTheTolerance) {
  const Measured m = measured(0.1, 0, 0.001, 10);
  const Ablation ablation = decide_ablation(m.session, m.toggles);
  const AblationColumn& slow = ablation.rows[0].columns[0];
  EXPECT_EQ(slow.where, "a");
  EXPECT_EQ(slow.losses, 10);
  EXPECT_EQ(slow.verdict.claim, Claim::kStrong);
  const AblationColumn& same = ablation.rows[0].columns[1];
  EXPECT_EQ(same.ties, 10);
  EXPECT_EQ(same.answer, Answer::kEqual);
  EXPECT_EQ(same.verdict.claim, Claim::kParity);
}

TEST(Ablation, WhatFailedIsNotJudged) {
  Measured m = measured(-0.1, 0, 0.001, 10);
  add_fault(m.session, 1, 1, FaultKind::kCrashed);
  EXPECT_EQ(promotion(m), Promotion::kNotJudged);
}

}  // namespace
}  // namespace perfgate
