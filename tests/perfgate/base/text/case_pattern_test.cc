// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/case_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace perfgate {
namespace {

TEST(NameAsPattern, WritesWhatATerminalCanShow) {
  EXPECT_EQ(NameAsPattern("sort/n:16"), "sort/n:16");
  EXPECT_EQ(NameAsPattern("BM_Sort<std::vector<int>>/8"), "BM_Sort<std::vector<int>>/8");
  EXPECT_EQ(NameAsPattern("f(x+1)"), R"(f\(x\+1\))");
  EXPECT_EQ(NameAsPattern("a\tb\\c\x1b"), R"(a\tb\\c\x1b)");
  EXPECT_EQ(NameAsPattern("caf\xC3\xA9"), "caf\\u{e9}");
  EXPECT_EQ(NameAsPattern("\xF0\x9F\x9A\x80"), "\\u{1f680}");
}

// What a report shows can be pasted into --filter.
TEST(NameAsPattern, FindsTheName) {
  for (const std::string name :
       {"sort/n:16", "f(x+1)[2]{3}|^$*?", "a\tb\nc\\d", "caf\xC3\xA9/n:1",
        "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D/\xF0\x9F\x9A\x80", "\\u{41}", "\\\\u{e9}", "a.b"}) {
    const std::regex pattern(ExpandedPattern(NameAsPattern(name)));
    EXPECT_TRUE(std::regex_match(name, pattern)) << NameAsPattern(name);
    EXPECT_FALSE(std::regex_match(name + "x", pattern)) << NameAsPattern(name);
  }
}

TEST(ExpandedPattern, KeepsWhatTheStandardKnows) {
  EXPECT_EQ(ExpandedPattern(R"(a\d+\.(b|c)\u00e9\\)"), R"(a\d+\.(b|c)\u00e9\\)");
  EXPECT_EQ(ExpandedPattern("\\u{e9}x\\u{20ac}"), "\xC3\xA9x\xE2\x82\xAC");
  EXPECT_EQ(ExpandedPattern("\\u{}\\u{110000}\\u{zz}\\u{41"), "\\u{}\\u{110000}\\u{zz}\\u{41");
  EXPECT_EQ(ExpandedPattern(R"(\\u{41})"), R"(\\u{41})");
  EXPECT_EQ(ExpandedPattern("\\"), "\\");
}

TEST(PatternProblem, TellsAFileNamePattern) {
  EXPECT_THAT(PatternProblem("*Sort", "mismatched"), testing::HasSubstr("write '.*Sort'"));
  EXPECT_EQ(PatternProblem("(", "mismatched"), "mismatched");
}

}  // namespace
}  // namespace perfgate
