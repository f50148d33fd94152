// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "perfgate/base/error.h"
#include "perfgate/evidence/policy_check.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate {
namespace {

// The definition, by recursion.
bool glob_by_definition(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (glob_by_definition(pattern.substr(1), text.substr(i))) return true;
    }
    return false;
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         glob_by_definition(pattern.substr(1), text.substr(1));
}

TEST(Glob, AgreesWithItsDefinition) {
  std::mt19937_64 random(1);
  const auto word = [&](std::string_view letters) {
    std::string text;
    while (random() % 8 != 0) text += letters[random() % letters.size()];
    return text;
  };
  int matches = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::string pattern = word("ab*?");
    const std::string text = word("ab");
    const bool expected = glob_by_definition(pattern, text);
    matches += expected ? 1 : 0;
    ASSERT_EQ(glob_match(pattern, text), expected) << pattern << " on " << text;
  }
  EXPECT_GT(matches, 10000);
}

TEST(Glob, QuestionMarkIsOneCharacterOfUtf8) {
  EXPECT_TRUE(glob_match("a?c",
                         "a\xE2\x82\xAC"
                         "c"));
  EXPECT_FALSE(glob_match("a??c",
                          "a\xE2\x82\xAC"
                          "c"));
  EXPECT_FALSE(glob_match("*??", "\xE2\x82\xAC"));
  EXPECT_TRUE(glob_match("*\xAC", "\xE2\x82\xAC\xAC"));
  EXPECT_TRUE(glob_match("?", "\xFF"));
}

TEST(Glob, ManyStarsEndInTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(glob_match(pattern + "b", std::string(20000, 'a')));
}

CaseRule tolerance_rule(const char* match, double tolerance) {
  CaseRule rule;
  rule.match = match;
  rule.tolerance = tolerance;
  return rule;
}

CaseRule gate_rule(const char* match, bool gate) {
  CaseRule rule;
  rule.match = match;
  rule.gate = gate;
  return rule;
}

TEST(ColumnPolicy, LastMatchingRuleThatSetsAFieldWins) {
  Policy policy;
  policy.tolerance = 0.02;
  policy.cases = {tolerance_rule("memcpy/*", 0.06), gate_rule("*/impl:reference/*", false),
                  tolerance_rule("memcpy/impl:reference/*", 0.5),
                  gate_rule("memcpy/impl:reference/n:1", true)};
  const Metric time;
  const auto of = [&](const char* name) { return column_policy(policy, name, time); };
  EXPECT_EQ(of("sort/n:1").tolerance, 0.02);
  EXPECT_TRUE(of("sort/n:1").gate);
  EXPECT_EQ(of("memcpy/impl:sse/n:1").tolerance, 0.06);
  EXPECT_TRUE(of("memcpy/impl:sse/n:1").gate);
  EXPECT_EQ(of("sort/impl:reference/n:1").tolerance, 0.02);
  EXPECT_FALSE(of("sort/impl:reference/n:1").gate);
  EXPECT_EQ(of("memcpy/impl:reference/n:2").tolerance, 0.5);
  EXPECT_FALSE(of("memcpy/impl:reference/n:2").gate);
  EXPECT_TRUE(of("memcpy/impl:reference/n:1").gate);
}

TEST(ColumnPolicy, FractionsDoNotReachCountsUnlessNamed) {
  Policy policy;
  policy.cases = {tolerance_rule("*", 0.06)};
  const Metric allocs{.name = "allocs", .unit = "1", .kind = Kind::kCount};
  const Metric rate{.name = "rate", .unit = "B/s", .kind = Kind::kRate};
  EXPECT_EQ(column_policy(policy, "x", allocs).tolerance, 0);
  EXPECT_EQ(column_policy(policy, "x", rate).tolerance, 0.06);
  policy.cases.push_back({.match = "*", .metric = "allocs", .tolerance = 3, .gate = false});
  EXPECT_EQ(column_policy(policy, "x", allocs).tolerance, 3);
  EXPECT_FALSE(column_policy(policy, "x", allocs).gate);
  EXPECT_EQ(column_policy(policy, "x", rate).tolerance, 0.06);
  EXPECT_TRUE(column_policy(policy, "x", rate).gate);
}

TEST(ColumnPolicy, WhatIsCountedHasAToleranceOfItsOwn) {
  const Metric instructions{"instructions", "1", Direction::kLower, Kind::kTime};
  const Metric rss{"peak_rss", "B", Direction::kLower, Kind::kCount};
  Policy policy;
  policy.tolerance = 0.05;
  // A counter of the benchmark's own that happens to have the name.
  EXPECT_EQ(column_policy(policy, "x", instructions).tolerance, 0.05);
  policy.count = {"instructions", "peak_rss"};
  EXPECT_EQ(column_policy(policy, "x", instructions).tolerance, 0.001);
  EXPECT_TRUE(column_policy(policy, "x", instructions).gate);
  EXPECT_FALSE(column_policy(policy, "x", rss).gate);
  // A rule for the times of a case is none for its counts, until it names them.
  policy.cases = {{.match = "*", .metric = std::nullopt, .tolerance = 0.2, .gate = std::nullopt}};
  EXPECT_EQ(column_policy(policy, "x", instructions).tolerance, 0.001);
  policy.cases.push_back(
      {.match = "*", .metric = "instructions", .tolerance = 0.01, .gate = std::nullopt});
  policy.cases.push_back({.match = "*", .metric = "peak_rss", .tolerance = 4096, .gate = true});
  EXPECT_EQ(column_policy(policy, "x", instructions).tolerance, 0.01);
  EXPECT_TRUE(column_policy(policy, "x", rss).gate);
  EXPECT_EQ(column_policy(policy, "x", rss).tolerance, 4096);
}

TEST(Policy, OnlyWhatCanBeCountedIsAskedFor) {
  Policy policy;
  policy.count = {"instructions", "cycles"};
  EXPECT_NO_THROW(validate(policy));
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"flops"}, {"cycles", "cycles"}, {""}}) {
    policy.count = names;
    EXPECT_THROW(validate(policy), Error) << names.front();
  }
}

}  // namespace
}  // namespace perfgate
