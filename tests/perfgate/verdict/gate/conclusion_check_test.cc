// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/conclusion_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using testing::HasSubstr;

// Of 10 rounds in which the second of two cases has this log ratio.
SuiteVerdict DecidedAt(double ratio) {
  Session session = synthetic::empty_session({"a", "b"}, {Metric{}}, 10);
  synthetic::Noise noise(1);
  for (int r = 0; r < 10; ++r) {
    synthetic::add_ratio_round(session,
                               [&](std::size_t c) { return noise(c == 1 ? ratio : 0, 0.001); });
  }
  session.complete = true;
  return decide(session);
}

void ExpectOwn(const SuiteVerdict& verdict) {
  EXPECT_NO_THROW(RequireOwnConclusion(verdict, "v.json"))
      << static_cast<int>(verdict.exit) << " " << verdict.summary;
}

void ExpectNotOwn(const SuiteVerdict& verdict, const std::string& says) {
  try {
    RequireOwnConclusion(verdict, "v.json");
    ADD_FAILURE() << "accepted, but should say " << says;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kInvalid);
    EXPECT_THAT(error.what(), HasSubstr(says));
  }
}

TEST(ConclusionCheck, WhatTheGateConcludesIsAccepted) {
  for (const double ratio : {0.3, 0.0, -0.3}) ExpectOwn(DecidedAt(ratio));
  SuiteVerdict partial = DecidedAt(0.0);
  ASSERT_EQ(partial.exit, Exit::kPass);
  partial.complete = false;
  ExpectNotOwn(partial, "v.json: /exit: is 0, and the columns of this file give 12");
  partial.exit = Exit::kInconclusive;
  ExpectOwn(partial);
}

TEST(ConclusionCheck, AnotherExitIsRefused) {
  SuiteVerdict verdict = DecidedAt(0.3);
  ASSERT_EQ(verdict.exit, Exit::kRegression);
  verdict.exit = Exit::kPass;
  ExpectNotOwn(verdict, "/exit: is 0, and the columns of this file give 10");
  verdict.exit = Exit::kInconclusive;
  ExpectNotOwn(verdict, "/exit: is 12");
}

TEST(ConclusionCheck, AnotherSummaryIsRefused) {
  SuiteVerdict verdict = DecidedAt(0.3);
  ASSERT_EQ(verdict.summary, "1 regression, 1 no_regression");
  verdict.summary = "2 no_regression";
  ExpectNotOwn(verdict, "/summary: is \"2 no_regression\"");
  verdict.columns.pop_back();
  ExpectNotOwn(verdict, "give \"1 regression\"");
}

TEST(ConclusionCheck, OnNumbersNothingInconclusivePasses) {
  SuiteVerdict verdict = DecidedAt(0.0);
  verdict.columns.resize(1);
  verdict.columns[0].verdict = Verdict::kInconclusive;
  verdict.columns[0].effect.hi = 0.05;
  verdict.summary = "1 inconclusive";
  verdict.exit = Exit::kPass;
  ExpectOwn(verdict);
  verdict.grade = "stored";
  ExpectNotOwn(verdict, "/exit: is 0, and the columns of this file give 12");
}

TEST(ConclusionCheck, ANewSuitePassesWhereItWasAskedFor) {
  SuiteVerdict verdict = DecidedAt(0.0);
  verdict.columns.resize(1);
  verdict.columns[0].verdict = Verdict::kNew;
  verdict.summary = "1 new";
  verdict.exit = Exit::kPass;
  ExpectNotOwn(verdict, "give 13");
  verdict.warnings.emplace_back(kBootstrapped);
  ExpectOwn(verdict);
  verdict.columns[0].verdict = Verdict::kMissing;
  verdict.summary = "1 missing";
  ExpectNotOwn(verdict, "give 13");
}

// The warning withholds a pass, and excuses nothing else.
TEST(ConclusionCheck, OnNumbersNoStrangerPasses) {
  const std::string withheld = std::string(kNumbersPassNoStranger) + ": no executable is kept";
  for (const char* grade : {"stored", "paired"}) {
    SuiteVerdict verdict = DecidedAt(0.0);
    verdict.grade = grade;
    ExpectOwn(verdict);
    verdict.warnings.push_back(withheld);
    ExpectNotOwn(verdict, "/exit: is 0, and the columns of this file give 12");
    verdict.exit = Exit::kInconclusive;
    ExpectOwn(verdict);
    verdict.warnings.clear();
    ExpectNotOwn(verdict, "/exit: is 12, and the columns of this file give 0");
  }
  SuiteVerdict slower = DecidedAt(0.3);
  slower.warnings.push_back(withheld);
  ExpectOwn(slower);
  slower.exit = Exit::kInconclusive;
  ExpectNotOwn(slower, "/exit: is 12, and the columns of this file give 10");
}

TEST(ConclusionCheck, ASlowerAlternativePassesAndAFailedOneDoesNot) {
  SuiteVerdict verdict = DecidedAt(0.3);
  verdict.exit = Exit::kPass;
  verdict.warnings.emplace_back(kDifferOnPurpose);
  for (ColumnVerdict& column : verdict.columns) {
    if (column.verdict == Verdict::kRegression) column.gated = false;
  }
  ExpectOwn(verdict);
  for (ColumnVerdict& column : verdict.columns) {
    if (column.gated) column.verdict = Verdict::kFailed;
  }
  verdict.summary = "1 failed, 1 regression";
  ExpectNotOwn(verdict, "/exit: is 0, and the columns of this file give 11");
}

// Each candidate of a change before this one takes its share of the chance to pass by luck.
TEST(ConclusionCheck, EarlierCandidatesMakeAPassStricter) {
  Session session = synthetic::empty_session({"a"}, {Metric{}}, 6);
  for (int r = 0; r < 6; ++r) synthetic::add_ratio_round(session, [](std::size_t) { return 0.0; });
  session.complete = true;
  session.policy.hide_limit = 0;
  ASSERT_EQ(decide(session).columns[0].verdict, Verdict::kNoRegression);
  session.schedule.earlier_candidates = 1;  // .005 is out of reach of 6 rounds
  EXPECT_EQ(decide(session).columns[0].verdict, Verdict::kInconclusive);
  EXPECT_EQ(decide(session).exit, Exit::kInconclusive);
  for (int r = 0; r < 4; ++r) synthetic::add_ratio_round(session, [](std::size_t) { return 0.0; });
  synthetic::plan(session, 10);
  session.schedule.earlier_candidates = 1;
  EXPECT_EQ(decide(session).columns[0].verdict, Verdict::kNoRegression);
}

}  // namespace
}  // namespace perfgate
