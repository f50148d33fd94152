// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/round_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

CaseInfo calibrated_case(double slice_s, double setup_s, std::int64_t iterations = 1000) {
  CaseInfo info;
  info.name = "case";
  info.iterations = iterations;
  info.slice_s = slice_s;
  info.setup_share = setup_s / (setup_s + slice_s);
  info.wall_s = slice_s + setup_s;
  return info;
}

// What a round costs by the definition of measure.h: every arm runs pairs and warm-up of each case.
double cost_of(const Session& session, const std::vector<CaseInfo>& cases, double rest_s) {
  double sum = rest_s;
  for (const CaseInfo& info : cases) {
    sum += 2 * (PairsOf(info, session.policy) + WarmupSlicesOf(info, session.policy)) * info.wall_s;
  }
  return sum;
}

Session calibrated_session(std::vector<CaseInfo> cases, double rest_s, double budget_s) {
  Session session;
  session.arms.resize(2);
  session.policy.budget_s = budget_s;
  session.schedule.round_s = cost_of(session, cases, rest_s);
  session.cases = std::move(cases);
  return session;
}

TEST(RoundPlan, WhatFitsIsNotCut) {
  const Session session = calibrated_session({calibrated_case(0.01, 0)}, 0.05, 60);
  const RoundPlan plan = plan_rounds(session, 1, true);
  EXPECT_EQ(plan.cases[0].pairs, 0);
  EXPECT_EQ(plan.cases[0].warmup_slices, -1);
  EXPECT_DOUBLE_EQ(plan.round_s, session.schedule.round_s);
  EXPECT_EQ(plan.budget_s, 60);
  EXPECT_THAT(plan.shortage, IsEmpty());
  EXPECT_THAT(plan.text, HasSubstr("as the policy says"));
}

// 8 cases of which two set up for 0.25 s: 22 s a round, of which 60 s hold 2.
TEST(RoundPlan, ExpensiveCasesAreCutUntilSixteenRoundsFit) {
  std::vector<CaseInfo> cases(6, calibrated_case(0.01, 0));
  cases.resize(8, calibrated_case(0.2, 0.25));
  const Session session = calibrated_session(cases, 0.3, 60);
  const RoundPlan plan = plan_rounds(session, 3, true);
  EXPECT_LE(16 * plan.round_s, 57);
  EXPECT_EQ(plan.cases[0].pairs, 0) << "the others are cheap";
  EXPECT_LE(PairsOf(plan.cases[7], session.policy), 2);
  EXPECT_NEAR(plan.round_s, cost_of(session, plan.cases, 0.3), 1e-9);
  EXPECT_THAT(plan.shortage, IsEmpty());
  EXPECT_THAT(plan.text, HasSubstr("in 2 of 8"));
}

TEST(RoundPlan, ASliceIsCutInWholeFixedCounts) {
  CaseInfo info = calibrated_case(0.2, 0.05, 700);
  info.fixed_iterations = 100;
  const Session session = calibrated_session(std::vector<CaseInfo>(60, info), 0, 60);
  const RoundPlan plan = plan_rounds(session, 0, true);
  for (const CaseInfo& cut : plan.cases) {
    EXPECT_EQ(cut.iterations % 100, 0);
    EXPECT_NEAR(cut.slice_s, 0.2 * static_cast<double>(cut.iterations) / 700, 1e-12);
    EXPECT_NEAR(cut.wall_s, 0.05 + cut.slice_s, 1e-12);
    EXPECT_NEAR(cut.setup_share, 0.05 / cut.wall_s, 1e-12);
  }
}

TEST(RoundPlan, ABudgetBelowSixRoundsIsShortAndSaysWhatWouldDo) {
  const Session session = calibrated_session({calibrated_case(1, 0, 1)}, 0, 5);
  const RoundPlan plan = plan_rounds(session, 1, true);
  EXPECT_DOUBLE_EQ(plan.round_s, 2) << "one pair of the one iteration";
  EXPECT_THAT(plan.shortage, HasSubstr("holds 2 round(s)"));
  // 1 s and 6 or 10 rounds of 2 s with a tenth to spare.
  EXPECT_THAT(plan.shortage, HasSubstr("--budget 15s can pass, --budget 23s can fail"));
  Session more = session;
  more.policy.budget_s = 15;
  EXPECT_THAT(plan_rounds(more, 1, true).shortage, IsEmpty());
}

TEST(RoundPlan, AnAutomaticBudgetIsWhatSixteenRoundsNeed) {
  const auto budget = [](double case_s) {
    return plan_rounds(calibrated_session({calibrated_case(case_s, 0, 1)}, 0, 0), 1, true);
  };
  EXPECT_EQ(budget(0.001).budget_s, 10);
  EXPECT_DOUBLE_EQ(budget(0.2).budget_s, 1 + 16 * 2.0);
  EXPECT_EQ(budget(0.2).cases[0].pairs, 0);
  // 4 pairs of 1 s would need 161 s: cut to one minute.
  EXPECT_LE(budget(1).budget_s, 60);
  EXPECT_DOUBLE_EQ(budget(8).budget_s, 1 + 16 * 16.0);
  // 16 rounds of 100 s are too many: the 10 that can fail, with some to spare.
  EXPECT_DOUBLE_EQ(budget(50).budget_s, 1 + 10.5 * 100);
  EXPECT_THAT(budget(50).shortage, IsEmpty());
}

// Over layouts the last of 40 rounds is worth more than a second pair in every round.
TEST(RoundPlan, LayoutsAreWantedMoreThanPairs) {
  Session session = calibrated_session({calibrated_case(0.2, 0, 1)}, 0, 60);
  EXPECT_EQ(plan_rounds(session, 1, true).cases[0].pairs, 0);
  for (ArmInfo& arm : session.arms) arm.layouts = 40;
  const RoundPlan plan = plan_rounds(session, 1, true);
  EXPECT_EQ(plan.cases[0].pairs, 2);
  EXPECT_LE(40 * plan.round_s, 59);
  session.policy.budget_s = 0;
  EXPECT_DOUBLE_EQ(plan_rounds(session, 1, true).budget_s, 1 + 40 * plan.round_s);
}

TEST(RoundPlan, NothingIsCutWhereThePolicyOrTheCommandSaysSo) {
  Session session = calibrated_session({calibrated_case(1, 0, 1)}, 0, 60);
  EXPECT_LT(plan_rounds(session, 1, true).round_s, 10);
  EXPECT_DOUBLE_EQ(plan_rounds(session, 1, false).round_s, 10);
  session.policy.fit = false;
  EXPECT_DOUBLE_EQ(plan_rounds(session, 1, true).round_s, 10);
  session.policy.rounds = 10;
  EXPECT_EQ(plan_rounds(session, 1, true).budget_s, 0) << "rounds are counted";
}

// A process of the suite runs all cases, so that none can have other pairs than the next.
TEST(RoundPlan, RunsOfASuiteAreCutForAllCases) {
  std::vector<CaseInfo> cases = {calibrated_case(0.01, 0, 0), calibrated_case(1, 0, 0)};
  Session session = calibrated_session(cases, 0, 60);
  for (ArmInfo& arm : session.arms) arm.driver = DriverKind::kProcessPerSuite;
  session.schedule.round_s = 5 * (2 * 0.5 + 2 * 1.01);  // 0.5 s of start-up
  const RoundPlan plan = plan_rounds(session, 1, true);
  EXPECT_EQ(plan.cases[0].pairs, plan.cases[1].pairs);
  EXPECT_EQ(plan.cases[0].warmup_slices, plan.cases[1].warmup_slices);
  EXPECT_EQ(plan.cases[0].slice_s, 0.01);
  EXPECT_EQ(plan.cases[1].slice_s, 1);
  const double runs =
      PairsOf(plan.cases[0], session.policy) + WarmupSlicesOf(plan.cases[0], session.policy);
  EXPECT_DOUBLE_EQ(plan.round_s, runs * 3.02);
  EXPECT_LE(16 * plan.round_s, 59);
}

// Whatever the suite: a plan never costs more than the policy says, is exactly what its cases cost,
// and where more is left, less is cut.
TEST(RoundPlan, HoldsForAnySuite) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-3, 0.5);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<CaseInfo> cases;
    for (int c = 0; c <= trial % 40; ++c) {
      cases.push_back(calibrated_case(std::pow(10, exponent(random)),
                                      std::pow(10, exponent(random)), 1 + trial * 7 % 50));
    }
    const double rest_s = std::pow(10, exponent(random));
    double before = 0;
    for (const double budget_s : {20.0, 60.0, 200.0, 900.0}) {
      const Session session = calibrated_session(cases, rest_s, budget_s);
      const RoundPlan plan = plan_rounds(session, 1, true);
      EXPECT_NEAR(plan.round_s, cost_of(session, plan.cases, rest_s), 1e-9 * plan.round_s);
      EXPECT_LE(plan.round_s, session.schedule.round_s * (1 + 1e-12));
      EXPECT_GE(plan.round_s, before * (1 - 1e-12));
      EXPECT_EQ(plan.shortage.empty(), 6 * plan.round_s <= budget_s - 1);
      for (const CaseInfo& info : plan.cases) EXPECT_GE(PairsOf(info, session.policy), 1);
      before = plan.round_s;
    }
  }
}

}  // namespace
}  // namespace perfgate
