// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/unchanged_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/gate/column_verdict.h"
#include "perfgate/verdict/gate/layout_stage.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::add_ratio_round;
using synthetic::empty_session;
using synthetic::find_column;
using synthetic::Noise;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

Session Moved(const Metric& metric = {}) {
  Session session = empty_session({"slower", "faster", "same"}, {metric}, 16);
  Noise noise(1);
  const double means[] = {0.1, -0.1, 0};
  for (int r = 0; r < 16; ++r) {
    add_ratio_round(session, [&](std::size_t c) { return noise(means[c], 0.003); });
  }
  return session;
}

void AddCode(Session& session, const std::string& name, HotCodeStatus status) {
  HotCode code;
  code.case_name = name;
  code.status = status;
  code.same_share = status == HotCodeStatus::kUnchanged ? 1 : 0.5;
  if (status == HotCodeStatus::kUnknown) code.reason = "stripped: bench has no symbols";
  if (status == HotCodeStatus::kChanged) code.changed = {"sort(int*)", "merge(int*)"};
  session.hot_code.push_back(code);
}

TEST(UnchangedCode, AsksForTheNamedCasesOnly) {
  const Session session = Moved();
  EXPECT_THAT(CasesToExplain(session, decide(session)), ElementsAre("slower", "faster"));
}

TEST(UnchangedCode, IsNotNamedAndDoesNotPass) {
  Session session = Moved();
  session.policy.hide_limit = 0.5;
  AddCode(session, "slower", HotCodeStatus::kUnchanged);
  AddCode(session, "faster", HotCodeStatus::kUnchanged);
  const SuiteVerdict verdict = decide(session);
  EXPECT_EQ(verdict.exit, Exit::kInconclusive);
  const ColumnVerdict& slower = find_column(verdict, "slower");
  EXPECT_EQ(slower.verdict, Verdict::kInconclusive);
  EXPECT_THAT(slower.reason, StartsWith("layout: "));
  EXPECT_EQ(slower.hot_code, "code unchanged");
  const ColumnVerdict& faster = find_column(verdict, "faster");
  EXPECT_EQ(faster.verdict, Verdict::kNoRegression);
  EXPECT_EQ(faster.claim, Claim::kDirectional);
  EXPECT_EQ(find_column(verdict, "same").hot_code, "");
  // The file holds all that the verdict rests on.
  EXPECT_EQ(decide(session_from_json(session_to_json(session), "s")).exit, Exit::kInconclusive);
}

TEST(UnchangedCode, NoLimitLetsItPass) {
  Session session = Moved();
  AddCode(session, "slower", HotCodeStatus::kUnchanged);
  ColumnVerdict slower = find_column(decide(session), "slower");
  ASSERT_TRUE(IsWithheldByLayout(slower));
  slower.tolerance = 1;  // its estimate is then within the tolerance
  EXPECT_FALSE(PassesInconclusive(slower, 5));
  slower.reason.clear();
  EXPECT_TRUE(PassesInconclusive(slower, 5));
}

TEST(UnchangedCode, ThePolicyMayJudgeIt) {
  Session session = Moved();
  session.policy.unchanged_code = UnchangedCode::kJudge;
  AddCode(session, "slower", HotCodeStatus::kUnchanged);
  const SuiteVerdict verdict = decide(session);
  EXPECT_EQ(verdict.exit, Exit::kRegression);
  EXPECT_EQ(find_column(verdict, "slower").hot_code, "code unchanged");
}

TEST(UnchangedCode, ChangedAndUnknownCodeIsNamed) {
  for (const HotCodeStatus status : {HotCodeStatus::kChanged, HotCodeStatus::kUnknown}) {
    Session session = Moved();
    AddCode(session, "slower", status);
    const SuiteVerdict verdict = decide(session);
    EXPECT_EQ(verdict.exit, Exit::kRegression);
    EXPECT_EQ(find_column(verdict, "slower").hot_code,
              status == HotCodeStatus::kChanged
                  ? "code changed: sort(int*), merge(int*)"
                  : "code not checked: stripped: bench has no symbols");
  }
}

TEST(UnchangedCode, CountsAreNoMatterOfPlace) {
  Session session =
      Moved({.name = "allocs", .unit = "1", .direction = Direction::kLower, .kind = Kind::kCount});
  AddCode(session, "slower", HotCodeStatus::kUnchanged);
  const ColumnVerdict slower = find_column(decide(session), "slower", "allocs");
  EXPECT_EQ(slower.hot_code, "");
  EXPECT_THAT(CasesToExplain(session, decide(session)), IsEmpty());
}

TEST(UnchangedCode, WhatLayoutsDecidedStands) {
  Session session = Moved();
  AddCode(session, "slower", HotCodeStatus::kUnchanged);
  Session always = session;
  for (RoundInfo& round : always.rounds) round.layouts = {round.index + 1, round.index + 2};
  EXPECT_EQ(decide(always).exit, Exit::kRegression);
  EXPECT_FALSE(IsOfOneLink(always, "slower"));
  EXPECT_TRUE(IsOfOneLink(session, "slower"));
}

}  // namespace
}  // namespace perfgate
