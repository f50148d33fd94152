// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/layout_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::add_fault;
using synthetic::add_ratio_round;
using synthetic::empty_session;
using synthetic::find_column;
using synthetic::Noise;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int kRounds = 16;

Session Measured(const std::vector<std::string>& names, const std::vector<double>& means, double sd,
                 std::uint64_t seed) {
  Session session = empty_session(names, {Metric{}}, kRounds);
  Noise noise(seed);
  for (int r = 0; r < kRounds; ++r) {
    add_ratio_round(session, [&](std::size_t c) { return noise(means[c], sd); });
  }
  return session;
}

// The second stage of the cases that the first would name, with these true effects over layouts.
Session Confirmed(Session session, const std::vector<double>& means, double sd = 0.02) {
  std::vector<std::string> names;
  std::vector<double> screened_means;
  for (const std::size_t c : ScreenedCases(session, decide(session))) {
    names.push_back(session.cases[c].name);
    screened_means.push_back(means[c]);
  }
  Session stage = Measured(names, screened_means, sd, 7);
  for (RoundInfo& round : stage.rounds) round.layouts = {round.index + 1, round.index + 2};
  session.confirmation = {StageOf(session, stage)};
  return session;
}

TEST(LayoutStage, ScreensWhatOneLinkNamesOrLeavesOpen) {
  Session session = Measured({"slower", "faster", "same", "broken"}, {0.1, -0.1, 0, 0.1}, 0.003, 1);
  add_fault(session, 3, 1, FaultKind::kCrashed, "", 2);
  EXPECT_THAT(ScreenedCases(session, decide(session)), ElementsAre(0, 1));
  session.policy.cases.push_back(
      {.match = "slower", .metric = std::nullopt, .tolerance = std::nullopt, .gate = false});
  EXPECT_THAT(ScreenedCases(session, decide(session)), ElementsAre(1));
  // Open: above the tolerance it is screened, bounded doubt within it is not.
  const Session open = Measured({"loud"}, {0.05}, 0.2, 3);
  ASSERT_EQ(decide(open).exit, Exit::kInconclusive);
  EXPECT_THAT(ScreenedCases(open, decide(open)), ElementsAre(0));
}

TEST(LayoutStage, OnlyTheSecondStageNames) {
  const Session session = Measured({"link", "same", "real"}, {0.1, 0, 0.1}, 0.003, 1);
  const SuiteVerdict verdict = decide(Confirmed(session, {0, 0, 0.1}, 0.01));
  EXPECT_EQ(verdict.exit, Exit::kRegression);
  EXPECT_EQ(verdict.layout_rounds, kRounds);
  const ColumnVerdict& link = find_column(verdict, "link");
  EXPECT_EQ(link.verdict, Verdict::kNoRegression) << link.reason;
  EXPECT_NEAR(link.link_effect.estimate, std::expm1(0.1), 0.01);
  EXPECT_NEAR(link.effect.estimate, 0, 0.01);
  EXPECT_THAT(link.reason, HasSubstr("+10.5 % in this link, "));
  EXPECT_THAT(link.reason, HasSubstr("layouts: layout, not the change"));
  EXPECT_NEAR(link.layout_sd, 0.01, 0.005);
  EXPECT_NEAR(link.link_sd, 0.003, 0.002);
  const ColumnVerdict& real = find_column(verdict, "real");
  EXPECT_EQ(real.verdict, Verdict::kRegression);
  EXPECT_EQ(real.claim, Claim::kStrong);
  EXPECT_THAT(real.reason, Not(HasSubstr("not the change")));
  EXPECT_TRUE(std::isnan(find_column(verdict, "same").link_effect.estimate));
  EXPECT_EQ(decide(Confirmed(session, {0, 0, 0}, 0.01)).exit, Exit::kPass);
}

TEST(LayoutStage, AnImprovementIsConfirmedAsWell) {
  const Session session = Measured({"a", "b"}, {-0.1, -0.1}, 0.003, 1);
  const SuiteVerdict verdict = decide(Confirmed(session, {0, -0.1}, 0.01));
  EXPECT_EQ(find_column(verdict, "a").verdict, Verdict::kNoRegression);
  EXPECT_EQ(find_column(verdict, "b").verdict, Verdict::kImprovement);
}

// The cases that a first stage picks are one family of their own: alone as in the suite.
TEST(LayoutStage, TheSecondStageIsAFamilyOfItsOwn) {
  const Session two = Confirmed(Measured({"x", "y"}, {0, 0.1}, 0.003, 1), {0, 0.03}, 0.01);
  Session alone = SessionOfStage(two, two.confirmation[0]);
  const ColumnVerdict in_suite = find_column(decide(two), "y");
  const ColumnVerdict by_itself = find_column(decide(alone), "y");
  EXPECT_EQ(in_suite.verdict, by_itself.verdict);
  EXPECT_EQ(in_suite.p_adjusted, by_itself.p_adjusted);
}

TEST(LayoutStage, AFaultInTheSecondStageCounts) {
  Session session = Confirmed(Measured({"x"}, {0.1}, 0.003, 1), {0}, 0.01);
  session.confirmation[0].faults.push_back({0, 1, 3, FaultKind::kCrashed, "signal 11"});
  EXPECT_EQ(decide(session).exit, Exit::kFailed);
}

TEST(LayoutStage, AnInterruptedSecondStageDoesNotPass) {
  Session session = Confirmed(Measured({"x"}, {0.1}, 0.003, 1), {0}, 0.01);
  ASSERT_EQ(decide(session).exit, Exit::kPass);
  session.confirmation[0].complete = false;
  EXPECT_EQ(decide(session).exit, Exit::kInconclusive);
}

TEST(LayoutStage, ReusedLayoutsAreNoStrongClaim) {
  Session session = Measured({"x"}, {0.1}, 0.003, 1);
  for (RoundInfo& round : session.rounds) round.layouts = {round.index + 1, round.index + 1};
  ASSERT_FALSE(ReusesLayouts(session));
  ASSERT_EQ(find_column(decide(session), "x").claim, Claim::kStrong);
  session.rounds[5].layouts[1] = session.rounds[2].layouts[1];
  ASSERT_TRUE(ReusesLayouts(session));
  EXPECT_EQ(find_column(decide(session), "x").verdict, Verdict::kRegression);
  EXPECT_EQ(find_column(decide(session), "x").claim, Claim::kDirectional);
}

TEST(LayoutStage, GoesThroughTheFile) {
  const Session session = Confirmed(Measured({"x", "y"}, {0.1, 0}, 0.003, 1), {0.1, 0}, 0.01);
  const Session again = session_from_json(session_to_json(session), "s.json");
  EXPECT_EQ(verdict_to_json(decide(again)), verdict_to_json(decide(session)));
  const Session stage = SessionOfStage(again, again.confirmation[0]);
  EXPECT_EQ(session_to_json(SessionOfStage(again, StageOf(again, stage))), session_to_json(stage));
}

}  // namespace
}  // namespace perfgate
