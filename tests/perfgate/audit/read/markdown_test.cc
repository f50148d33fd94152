// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/audit/read/claim_text.h"
#include "perfgate/audit/read/markdown_reader.h"
#include "perfgate/base/error.h"

namespace perfgate::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

MarkdownDocument read(const std::string& text) {
  std::vector<Finding> findings;
  return read_markdown(text, "t.md", findings);
}

TEST(SplitCells, KnowsEscapesAndCode) {
  EXPECT_THAT(split_cells("| a | b |", false), ElementsAre("a", "b"));
  EXPECT_THAT(split_cells("a | b", false), ElementsAre("a", "b"));
  EXPECT_THAT(split_cells("a | b |", false), ElementsAre("a", "b"));
  EXPECT_THAT(split_cells("| a \\| b | c |", false), ElementsAre("a | b", "c"));
  EXPECT_THAT(split_cells("| `x|y` | c |", true), ElementsAre("`x|y`", "c"));
  EXPECT_THAT(split_cells("|  | c |", false), ElementsAre("", "c"));
}

TEST(Markdown, ReadsWhatPeoplePublish) {
  const MarkdownDocument document = read(
      "# Cold start, two backends\r\n"
      "\n"
      "date: 2026-02-22; runs: 3\n"
      "\n"
      "| Backend | Start | `a|b` |\n"
      "|:---|---:|:-:|\n"
      "first | 1.0 ms | `x|y` |\n"
      "| Backend | Start | `a|b` |\n"
      "| second | - |\n"
      "\n"
      "Text with | a pipe.\n"
      "```\n"
      "| in | fence |\n"
      "|---|---|\n"
      "| 1 | 2 |\n"
      "```\n"
      "- c1: metric=x y, op=ratio, args=[\"2.0\", \"1.0\"], value=2.0\n");
  ASSERT_EQ(document.tables.size(), 2U);
  const Table& table = document.tables[0];
  EXPECT_EQ(table.title, "Cold start, two backends");
  EXPECT_EQ(table.facts.at("runs"), "3");
  EXPECT_EQ(table.line, 5);
  ASSERT_EQ(table.columns.size(), 3U);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].line, 7);
  EXPECT_EQ(table.cell(0, 0).text, "first");
  EXPECT_EQ(table.cell(0, 2).text, "`x|y`");
  EXPECT_EQ(table.cell(1, 1).kind, CellKind::kEmpty);
  EXPECT_EQ(table.cell(1, 2).kind, CellKind::kEmpty);
  ASSERT_EQ(document.tables[1].claims.size(), 1U);
  EXPECT_EQ(document.tables[1].claims[0].line, 17);
  EXPECT_THAT(document.tables[1].claims[0].fields.at("args"), ElementsAre("2.0", "1.0"));
}

TEST(Markdown, UnitsOfHeadersReachTheCells) {
  const MarkdownDocument document = read("| n | Latency (ms) | t_us |\n|-|-|-|\n| 1 | 2.5 | 3 |\n");
  EXPECT_EQ(document.tables[0].cell(0, 1).number.unit, "ms");
  EXPECT_EQ(document.tables[0].cell(0, 2).number.unit, "us");
  EXPECT_EQ(document.tables[0].cell(0, 0).number.unit, "");
}

TEST(Markdown, CountsListsUnderHeadings) {
  const MarkdownDocument document = read(
      "## Failed (3)\n\n- a\n- b\n  - nested\n\n## Passed (2 tasks)\n\nSome words.\n\n- a\n- b\n\n"
      "## Rows (2)\n\n| a |b|\n|---|---|\n| 1 |2|\n\n## Year (see below)\n\n- a\n");
  ASSERT_EQ(document.lists.size(), 3U);
  EXPECT_EQ(document.lists[0].stated, 3);
  EXPECT_EQ(document.lists[0].items, 2);
  EXPECT_EQ(document.lists[1].items, 2);
  EXPECT_EQ(document.lists[2].items, 1);
  EXPECT_EQ(document.lists[2].line, 14);
}

TEST(Markdown, TooManyCellsAreAFinding) {
  std::vector<Finding> findings;
  read_markdown("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n", "t.md", findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].line, 3);
  EXPECT_EQ(findings[0].kind, Kind::kMetadata);
}

void expect_refused(const std::string& text, const std::string& where) {
  try {
    read(text);
    ADD_FAILURE() << "accepted: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), HasSubstr(where));
  }
}

TEST(Markdown, RefusesWithFileAndLine) {
  expect_refused("", "t.md:1:");
  expect_refused("# only words\n", "t.md:1:");
  expect_refused("text\n| a | b |\n|---|\n| 1 | 2 |\n", "t.md:3:");
  expect_refused("| a | b |\n|---|---|\n| \xFF | 2 |\n", "t.md:3:");
  expect_refused(std::string("| a | b |\n|---|---|\n| \0 | 2 |\n", 30), "t.md:3:");
}

TEST(ClaimText, ReadsListsAndCommas) {
  Claim claim;
  ASSERT_TRUE(
      parse_claim("c7: metric=before, after and more, args=[\"1,2\", 3], verdict=improved", claim));
  EXPECT_EQ(claim.id, "c7");
  EXPECT_EQ(claim.text("metric"), "before, after and more");
  EXPECT_THAT(claim.fields.at("args"), ElementsAre("1,2", "3"));
  EXPECT_EQ(claim.text("verdict"), "improved");
  for (const char* text : {"no claim", "c1:", "c1: words only", "two words: a=b", ": a=b"}) {
    Claim none;
    EXPECT_FALSE(parse_claim(text, none)) << text;
  }
}

}  // namespace
}  // namespace perfgate::audit
