// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gtest/matchers.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using perfgate::ColumnVerdict;
using perfgate::Exit;
using perfgate::SuiteVerdict;
using perfgate::Verdict;
using perfgate::testing::HasExit;
using perfgate::testing::HasVerdict;
using perfgate::testing::NoRegressionIn;
using perfgate::testing::Passes;
using ::testing::HasSubstr;
using ::testing::Not;

ColumnVerdict column(const std::string& name, Verdict verdict) {
  ColumnVerdict result;
  result.case_name = name;
  result.verdict = verdict;
  result.tolerance = 0.02;
  result.rounds = 10;
  result.effect.estimate = 0.0521;
  result.effect.lo = 0.04;
  result.effect.hi = 0.061;
  return result;
}

SuiteVerdict suite(Exit exit, std::vector<ColumnVerdict> columns) {
  SuiteVerdict result;
  result.suite = "kernels";
  result.exit = exit;
  result.summary = "1 of 3 cases is slower.";
  result.columns = std::move(columns);
  return result;
}

SuiteVerdict mixed() {
  return suite(
      Exit::kRegression,
      {column("gemm/m:64", Verdict::kRegression), column("sort/n:16", Verdict::kNoRegression),
       column("sort/n:64", Verdict::kImprovement), column("copy/n:1", Verdict::kInconclusive)});
}

template <typename M>
std::string explanation(const M& matcher, const SuiteVerdict& value) {
  ::testing::StringMatchResultListener listener;
  ::testing::ExplainMatchResult(matcher, value, &listener);
  return listener.str();
}

TEST(Passes, OnlyOnExitZero) {
  for (const Exit exit : {Exit::kPass, Exit::kRegression, Exit::kFailed, Exit::kInconclusive,
                          Exit::kNotComparable, Exit::kInvalid, Exit::kSuspected, Exit::kUsage,
                          Exit::kData, Exit::kInternal, Exit::kSkipped}) {
    const SuiteVerdict value = suite(exit, {});
    EXPECT_EQ(::testing::Matches(Passes())(value), exit == Exit::kPass) << static_cast<int>(exit);
    EXPECT_THAT(value, HasExit(exit));
  }
  EXPECT_THAT(mixed(), Not(HasExit(Exit::kPass)));
}

TEST(HasVerdict, FindsTheColumnByCaseAndMetric) {
  SuiteVerdict value = mixed();
  ColumnVerdict bytes = column("gemm/m:64", Verdict::kNoRegression);
  bytes.metric = {"bytes", "B", perfgate::Direction::kLower, perfgate::Kind::kCount};
  value.columns.push_back(bytes);
  EXPECT_THAT(value, HasVerdict("gemm/m:64", Verdict::kRegression));
  EXPECT_THAT(value, HasVerdict("gemm/m:64", Verdict::kNoRegression, "bytes"));
  EXPECT_THAT(value, Not(HasVerdict("gemm/m:64", Verdict::kRegression, "bytes")));
  EXPECT_THAT(value, Not(HasVerdict("sort/n:16", Verdict::kRegression)));
}

TEST(HasVerdict, AbsentCaseIsAMismatchThatSaysSo) {
  EXPECT_THAT(mixed(), Not(HasVerdict("gemm", Verdict::kRegression)));
  EXPECT_THAT(explanation(HasVerdict("gemm", Verdict::kRegression), mixed()),
              HasSubstr("no real_time of case gemm"));
}

TEST(NoRegressionIn, NeedsEveryGatedMatchToExcludeARegression) {
  EXPECT_THAT(mixed(), NoRegressionIn("sort/*"));
  EXPECT_THAT(mixed(), Not(NoRegressionIn("gemm/*")));
  EXPECT_THAT(mixed(), Not(NoRegressionIn("copy/*")));  // inconclusive excludes nothing
  EXPECT_THAT(mixed(), Not(NoRegressionIn("*")));
}

TEST(NoRegressionIn, NothingThatMatchesIsAMismatch) {
  EXPECT_THAT(mixed(), Not(NoRegressionIn("absent/*")));
  EXPECT_THAT(suite(Exit::kPass, {}), Not(NoRegressionIn("*")));
  ColumnVerdict shown = column("sort/n:16", Verdict::kNoRegression);
  shown.gated = false;
  EXPECT_THAT(suite(Exit::kPass, {shown}), Not(NoRegressionIn("*")));
}

TEST(NoRegressionIn, UngatedColumnsDoNotCount) {
  ColumnVerdict shown = column("sort/n:32", Verdict::kRegression);
  shown.gated = false;
  EXPECT_THAT(suite(Exit::kPass, {shown, column("sort/n:16", Verdict::kNoRegression)}),
              NoRegressionIn("sort/*"));
}

TEST(NoRegressionIn, MessageListsTheColumnsThatMissWithTheirInterval) {
  const std::string text = explanation(NoRegressionIn("*"), mixed());
  EXPECT_THAT(text, HasSubstr("2 of whose 4 matching columns"));
  EXPECT_THAT(text, HasSubstr("gemm/m:64 real_time: regression, +5.21 %, CI95 [+4.00 %, +6.10 %]"));
  EXPECT_THAT(text, HasSubstr("copy/n:1"));
  EXPECT_THAT(text, Not(HasSubstr("sort/n:16")));
}

TEST(Message, OfAFailedExpectationHasSummaryAndExit) {
  const SuiteVerdict value = mixed();
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(value, Passes()), "1 of 3 cases is slower.");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(value, Passes()), "whose exit is 10 (regression)");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(value, Passes()), "is a verdict with exit 0 (pass)");
}

TEST(Message, LongVerdictsAreCut) {
  const SuiteVerdict value =
      suite(Exit::kRegression, std::vector<ColumnVerdict>(30, column("x", Verdict::kRegression)));
  EXPECT_THAT(::testing::PrintToString(value), HasSubstr("and 10 more"));
}

TEST(Message, NamesWhatDidNotPass) {
  const std::string text =
      ::testing::PrintToString(suite(Exit::kRegression, {column("slow", Verdict::kRegression),
                                                         column("fine", Verdict::kNoRegression),
                                                         column("fast", Verdict::kImprovement)}));
  EXPECT_THAT(text, HasSubstr("slow"));
  EXPECT_THAT(text, Not(HasSubstr("fine")));
  EXPECT_THAT(text, HasSubstr("and 2 that passed"));
}

TEST(Message, FewRoundsHaveARangeAndNoInterval) {
  ColumnVerdict value = column("sort/n:16", Verdict::kInconclusive);
  value.rounds = 4;
  value.effect = {.estimate = 0.01, .range_lo = -0.02, .range_hi = 0.03, .range_confidence = 0.875};
  const std::string text = ::testing::PrintToString(value);
  EXPECT_THAT(text, HasSubstr("min..max -2.00 %..+3.00 %"));
  EXPECT_THAT(text, Not(HasSubstr("CI95")));
}

TEST(Message, CountsArePrintedInTheirUnit) {
  ColumnVerdict value = column("alloc", Verdict::kRegression);
  value.metric = {"allocations", "calls", perfgate::Direction::kLower, perfgate::Kind::kCount};
  value.effect.estimate = 3;
  EXPECT_THAT(::testing::PrintToString(value), HasSubstr("+3 calls"));
}

}  // namespace
