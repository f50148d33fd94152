// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/accept_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"

namespace perfgate::ci {
namespace {

using std::chrono::sys_days;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

constexpr sys_days kToday = 2027y / 3 / 10;

std::string FileWith(const std::string& entries) {
  return R"({"format": "perfgate-accept", "version": 1, "accepted": [)" + entries + "]}";
}

std::string Refusal(const std::string& entries) {
  try {
    ReadAcceptances(FileWith(entries), "accept.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    return error.what();
  }
  return "taken";
}

TEST(AcceptFile, BoundTakesThePlaceOfTheTolerance) {
  const auto accepted = ReadAcceptances(
      FileWith(
          R"({"case": "Sort/*", "bound": "12%", "reason": "stable", "expires": "2027-03-31"})"),
      "accept.json");
  const AcceptedCases cases = RulesOf(accepted, "my", kToday);
  ASSERT_EQ(cases.rules.size(), 1U);
  EXPECT_EQ(cases.rules[0].match, "Sort/*");
  EXPECT_EQ(cases.rules[0].tolerance, 0.12);
  EXPECT_FALSE(cases.rules[0].gate);
  EXPECT_EQ(cases.texts[0], "accepted until 2027-03-31: Sort/* may become 12 % slower (stable)");
  EXPECT_TRUE(cases.notes.empty());
}

TEST(AcceptFile, LastDayCountsAndTheNextDoesNot) {
  const auto accepted = ReadAcceptances(
      FileWith(R"({"case": "a", "bound": 0.1, "reason": "r", "expires": "2027-03-10"})"), "f");
  const AcceptedCases last = RulesOf(accepted, "my", kToday);
  EXPECT_EQ(last.rules.size(), 1U);
  ASSERT_EQ(last.notes.size(), 1U);
  EXPECT_THAT(last.notes[0], HasSubstr("expires on 2027-03-10"));
  const AcceptedCases next = RulesOf(accepted, "my", kToday + std::chrono::days(1));
  EXPECT_TRUE(next.rules.empty());
  ASSERT_EQ(next.notes.size(), 1U);
  EXPECT_THAT(next.notes[0], HasSubstr("has no effect"));
}

TEST(AcceptFile, RemovedCasesDecideNothing) {
  const auto accepted = ReadAcceptances(
      FileWith(R"({"case": "a", "removed": true, "reason": "r", "expires": "2028-02-29"})"), "f");
  const AcceptedCases cases = RulesOf(accepted, "my", kToday);
  ASSERT_EQ(cases.rules.size(), 1U);
  EXPECT_EQ(cases.rules[0].gate, false);
  EXPECT_FALSE(cases.rules[0].tolerance);
}

TEST(AcceptFile, OtherSuitesAreLeftAlone) {
  const auto accepted = ReadAcceptances(
      FileWith(
          R"({"case": "a", "suite": "x", "bound": 0.1, "reason": "r", "expires": "2028-01-01"})"),
      "f");
  EXPECT_TRUE(RulesOf(accepted, "my", kToday).rules.empty());
  EXPECT_EQ(RulesOf(accepted, "x", kToday).rules.size(), 1U);
}

TEST(AcceptFile, SaysWhatIsMissing) {
  EXPECT_THAT(Refusal(R"({"bound": 0.1, "reason": "r", "expires": "2028-01-01"})"),
              HasSubstr("accept.json: /accepted/0/case"));
  EXPECT_THAT(Refusal(R"({"case": "a", "bound": 0.1, "expires": "2028-01-01"})"),
              HasSubstr("/accepted/0/reason"));
  EXPECT_THAT(Refusal(R"({"case": "a", "reason": "r", "expires": "2028-01-01"})"),
              HasSubstr("/accepted/0/bound"));
  EXPECT_THAT(Refusal(R"({"case": "a", "bound": 12, "reason": "r", "expires": "2028-01-01"})"),
              HasSubstr("/bound"));
  EXPECT_THAT(
      Refusal(
          R"({"case": "a", "bound": 0.1, "removed": true, "reason": "r", "expires": "2028-01-01"})"),
      HasSubstr("removed"));
  EXPECT_THAT(Refusal(R"({"case": "a", "bond": 0.1})"), HasSubstr("bond"));
}

TEST(AcceptFile, ExpiryIsADay) {
  for (const char* day : {"", "soon", "2027-02-29", "2027-13-01", "2027-3-1", "2027-03-31 ",
                          "27-03-2031", "2027/03/31", "-027-03-31"}) {
    EXPECT_THAT(Refusal(std::string(R"({"case": "a", "bound": 0.1, "reason": "r", "expires": ")") +
                        day + "\"}"),
                HasSubstr("/accepted/0/expires"))
        << day;
  }
}

}  // namespace
}  // namespace perfgate::ci
