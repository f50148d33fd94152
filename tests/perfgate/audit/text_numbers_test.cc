// SPDX-License-Identifier: Apache-2.0
// Sums and exact binomial intervals in text, and relations that a Markdown table declares.
#include "perfgate/audit/check/text_numbers.h"

#include <gtest/gtest.h>

#include "perfgate/audit/audit.h"
#include "perfgate/base/error.h"

namespace perfgate::audit {
namespace {

std::size_t sum_findings(const std::string& text) {
  AuditResult result;
  check_text_sums(text, {}, result);
  return result.findings.size();
}

std::size_t binomial_findings(const std::string& text) {
  AuditResult result;
  check_binomial(text, {}, result);
  return result.findings.size();
}

std::size_t document_findings(const std::string& text) {
  AuditInput input;
  read_audit_text("a.md", text, input);
  return audit(input).findings.size();
}

TEST(TextNumbers, AddsUpTerms) {
  EXPECT_EQ(sum_findings("Items: win 5 + match 18 + no label 3 = 26."), 0U);
  EXPECT_EQ(sum_findings("Items: win 5 + match 18 + no label 3 = 27."), 1U);
  EXPECT_EQ(sum_findings("a 1 + b 2 = 4. Others: c 1 + d 1 = 3; e 1 = 2"), 2U);
  EXPECT_EQ(sum_findings("1 + 1 = 3"), 1U);
  EXPECT_EQ(sum_findings("Reasons: skipped 12 = 12"), 0U);
  EXPECT_EQ(sum_findings("Reasons: skipped 12 = 13"), 1U);
}

TEST(TextNumbers, LeavesOtherTextsAlone) {
  for (const char* text : {"n = 3", "alpha = 5", "2 * 3 + 4 = 10", "a 1.5 + b 1.5 = 4", "1 + x = 3",
                           "5 of 6 + 1 = 9", "a 1 + b 2 = 4.5", "a 1 + b 2 = 4 x", "seed 5 = 7",
                           "1 + 2 =", " = ", "a 1 (b 2) + c 3 = 9"}) {
    EXPECT_EQ(sum_findings(text), 0U) << text;
  }
}

TEST(TextNumbers, RecomputesExactBinomialIntervals) {
  EXPECT_EQ(binomial_findings("5/33 (15.2 %) [5.1, 31.9]"), 0U);
  EXPECT_EQ(binomial_findings("5/33 (15.2 %) \\[5.1, 31.9\\], 0/4 (0 %) [0.0, 60.2]"), 0U);
  EXPECT_EQ(binomial_findings("5/33 (15.2 %) [6.1, 31.9]"), 1U);
  EXPECT_EQ(binomial_findings("5/33 (15.2 %) [5.1, 32.9]"), 1U);
  for (const char* text : {"5/33", "5/33 (15.2 %)", "5/33 (15.2 %) [", "5/33 (15.2 %) [a, b]",
                           "0/0 (0 %) [0, 1]", "6/5 (1 %) [0, 1]", "1/2/2026 (1) [0, 1]"}) {
    EXPECT_EQ(binomial_findings(text), 0U) << text;
  }
}

TEST(TextNumbers, OnlyWhereTheDocumentSaysWhatItsIntervalsAre) {
  const std::string table = "| a | rate |\n|---|---|\n| x | 5/33 (15.2 %) [9.0, 31.9] |\n";
  EXPECT_EQ(document_findings(table), 0U);
  EXPECT_EQ(document_findings("Intervals are exact binomial 95 %.\n\n" + table), 1U);
}

const char* const kDeclared =
    "| item | a | b | n |\n|---|---|---|---|\n| 6e36 | 1 | 2 | 3 |\n| 88693683 | 4 | 5 | 9 |\n"
    "| Total | 5 | 7 | 12 |\n\n"
    "<!-- derived: op=sum, out=n, args=[\"a\", \"b\"], exact=true -->\n"
    "<!-- derived: op=sum_of_rows, row=Total, of=[\"*\"], exact=true -->\n";

TEST(DeclaredInMarkdown, IsRecomputedExactly) {
  EXPECT_EQ(document_findings(kDeclared), 0U);
  for (const char* part : {"| 1 |", "| 3 |", "| 7 |", "| 12 |"}) {
    std::string text = kDeclared;
    text.replace(text.find(part) + 2, 1, "8");
    EXPECT_GE(document_findings(text), 1U) << part;
  }
  std::string twice = kDeclared;
  twice.replace(twice.find("6e36"), 4, "Total");
  EXPECT_EQ(document_findings(twice), 0U) << "an item of the total's name";
  std::string lost = kDeclared;
  lost.replace(lost.find("row=Total"), 9, "row=Sum");
  EXPECT_EQ(document_findings(lost), 1U);
}

TEST(DeclaredInMarkdown, RefusesWhatDoesNotExist) {
  for (const char* comment :
       {"<!-- derived: op=cube, out=n -->", "<!-- derived: op=sum, out=z, args=[\"a\"] -->",
        "<!-- derived: op=ratio, out=n, args=[\"a\"] -->"}) {
    EXPECT_THROW(document_findings(kDeclared + std::string(comment) + "\n"), Error) << comment;
  }
  EXPECT_EQ(document_findings(kDeclared + std::string("<!-- a comment -->\n<!-- -->\n<!---->\n")),
            0U);
}

}  // namespace
}  // namespace perfgate::audit
