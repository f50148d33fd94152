// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "perfgate/report/text/markdown.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::report {
namespace {

using testing::ElementsAre;

TEST(EscapedAscii, ShowsWhatATerminalWouldAct) {
  EXPECT_EQ(escaped_ascii("a\x1b[31m\n\t\x7f\\"), "a\\x1b[31m\\n\\t\\x7f\\\\");
  EXPECT_EQ(escaped_ascii("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), "\\u{e9}\\u{20ac}\\u{1f600}");
  EXPECT_EQ(escaped_ascii("\xC2\x80\xFF\xC3"), "\\u{80}\\xff\\xc3");
}

TEST(EscapedAscii, IsPrintableAndTellsTextsApart) {
  sample::Random random(11);
  std::set<std::string> texts;
  std::set<std::string> escaped;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (auto n = random() % 4; n > 0; --n) text += static_cast<char>(random());
    texts.insert(text);
    const std::string shown = escaped_ascii(text);
    escaped.insert(shown);
    for (const char c : shown) ASSERT_TRUE(c >= 0x20 && c < 0x7f);
  }
  EXPECT_EQ(texts.size(), escaped.size());
}

TEST(EscapedControls, KeepsUtf8) {
  EXPECT_EQ(escaped_controls("\xC3\xA9\n\xFF"), "\xC3\xA9\\n\\xff");
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(shortened("0123456789", 10), "0123456789");
  EXPECT_EQ(shortened("0123456789", 9), "012...789");
  EXPECT_EQ(shortened("0123456789", 4).size(), 4U);
  EXPECT_EQ(shortened("0123456789", 2), "01");
  for (std::size_t width = 0; width < 12; ++width) {
    EXPECT_LE(shortened("0123456789", width).size(), width);
  }
}

TEST(ShortenedNames, LoseWhatTheFamilySharesFirst) {
  const std::vector<std::string> names = {"rmsnorm/impl:vector/rows:64/cols:4096/dtype:bf16",
                                          "rmsnorm/impl:vector/rows:4096/cols:4096/dtype:bf16",
                                          "rmsnorm/impl:scalar/rows:64/cols:4096/dtype:bf16",
                                          "attention/impl:flash/heads:32/dtype:bf16", "short"};
  EXPECT_THAT(shortened_names(names, 45),
              ElementsAre("rmsnorm/impl:vector/rows:64/.../dtype:bf16",
                          "rmsnorm/impl:vector/rows:4096/.../dtype:bf16",
                          "rmsnorm/impl:scalar/rows:64/.../dtype:bf16", names[3], "short"));
  EXPECT_THAT(shortened_names(names, 34),
              ElementsAre("rmsnorm/impl:vector/rows:64/...", "rmsnorm/impl:vector/rows:4096/...",
                          "rmsnorm/impl:scalar/rows:64/...", "attention/.../dtype:bf16", "short"));
  EXPECT_TRUE(shortened_names({}, 10).empty());
}

TEST(ShortenedNames, StayApartAndFit) {
  sample::Random random(19);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::string> names;
    for (auto n = random() % 8; n > 0; --n) {
      std::string name = "family";
      for (auto parts = random() % 6; parts > 0; --parts) {
        name += "/key" + std::to_string(parts) + ":" + std::to_string(random() % 3 * 1000);
      }
      names.push_back(name);
    }
    const auto result = shortened_names(names, 30);
    ASSERT_EQ(result.size(), names.size());
    for (const std::string& name : result) ASSERT_LE(name.size(), 30U);
  }
  // Names that differ in one place only, wherever it is.
  for (std::size_t at = 0; at < 60; ++at) {
    std::vector<std::string> names(2, std::string(60, 'x'));
    names[1][at] = 'y';
    const auto result = shortened_names(names, 40);
    EXPECT_NE(result[0], result[1]) << at;
  }
}

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("", 7), ElementsAre(""));
  EXPECT_THAT(wrapped("abcdefghij", 4), ElementsAre("abcd", "efgh", "ij"));
  sample::Random random(12);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (auto n = random() % 60; n > 0; --n) text += random() % 4 == 0 ? ' ' : 'x';
    std::string joined;
    for (const std::string& line : wrapped(text, 9)) {
      ASSERT_LE(line.size(), 9U);
      for (const char c : line) joined += c == ' ' ? "" : "x";
    }
    ASSERT_EQ(joined.size(), static_cast<std::size_t>(std::count(text.begin(), text.end(), 'x')));
  }
}

TEST(Markdown, CodeSpansHoldAnything) {
  EXPECT_EQ(markdown_code("a/b:1"), "`a/b:1`");
  EXPECT_EQ(markdown_code("a|b"), "`a\\|b`");
  EXPECT_EQ(markdown_code("a`b``c"), "``` a`b``c ```");
  EXPECT_EQ(markdown_code("a\nb"), "`a\\nb`");
  EXPECT_EQ(markdown_code(""), "(no name)");
}

TEST(Markdown, TextLosesItsMarkup) {
  EXPECT_EQ(markdown_text("a|b*c_d<e>&[f]`\\"), "a\\|b\\*c\\_d&lt;e&gt;&amp;\\[f\\]\\`\\\\");
  EXPECT_EQ(markdown_text("a\nb"), "a\\\\nb");
}

TEST(Markdown, BlocksAreNamedLikeColumnsOfASheet) {
  EXPECT_EQ(block_name(0), "A");
  EXPECT_EQ(block_name(25), "Z");
  EXPECT_EQ(block_name(26), "AA");
  EXPECT_EQ(block_name(26 + 26 * 26), "AAA");
}

}  // namespace
}  // namespace perfgate::report
