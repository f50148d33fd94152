// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/markdown_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/perfgate/report/golden_report.h"
#include "tests/perfgate/report/report_samples.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Cells of a table row as GitHub splits it: at pipes that no backslash escapes.
std::size_t cells_of(const std::string& line) {
  std::size_t cells = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == '|') {
      ++cells;
    }
  }
  return cells;
}

TEST(MarkdownReport, LooksAsAgreed) {
  const std::vector<SuiteVerdict> one = {sample::mixed_verdict()};
  expect_golden("verdict_mixed.md", markdown_report(one));
  std::vector<SuiteVerdict> two = {sample::mixed_verdict(), sample::mixed_verdict()};
  two[1].columns.erase(two[1].columns.begin(), two[1].columns.begin() + 3);
  two[1].exit = Exit::kPass;
  two[1].summary = "5 no_regression";
  expect_golden("verdict_two.md", markdown_report(two));
  const std::vector<SuiteVerdict> others = {sample::identical_verdict(), sample::empty_verdict()};
  expect_golden("verdict_special.md", markdown_report(others));
  EXPECT_EQ(markdown_report({}), "");
}

// Below 6 rounds no distribution-free 95 % interval exists, so the word must not appear.
TEST(MarkdownReport, IntervalsCarryOnlyTheirTrueLabel) {
  SuiteVerdict verdict = sample::verdict_without_columns();
  verdict.columns = {
      sample::measured_column("a", Verdict::kInconclusive, Claim::kInsufficient, 0.01, 0.02, 4)};
  const std::vector<SuiteVerdict> few = {verdict};
  const std::string text = markdown_report(few);
  EXPECT_THAT(text, Not(HasSubstr("CI95")));
  EXPECT_THAT(text,
              HasSubstr("| case | verdict | baseline [us] | candidate [us] | change | min..max "
                        "| rounds | claim |"));
  EXPECT_THAT(text, HasSubstr("-1.00..+3.00 (87.5 %) | 4 | insufficient |"));
  EXPECT_THAT(text, HasSubstr("Below 6 rounds: min..max"));

  verdict.columns[0] =
      sample::measured_column("a", Verdict::kNoRegression, Claim::kNoiseDominated, 0.0, 0.01, 6);
  const std::vector<SuiteVerdict> enough = {verdict};
  EXPECT_THAT(markdown_report(enough), HasSubstr("| CI95 |"));
  EXPECT_THAT(markdown_report(enough), Not(HasSubstr("min..max")));
  const std::vector<SuiteVerdict> both = {few[0], enough[0]};
  EXPECT_THAT(markdown_report(both), HasSubstr("| A: change | A: min..max |"));
  EXPECT_THAT(markdown_report(both), HasSubstr("| B: change | B: CI95 |"));
}

TEST(MarkdownReport, RandomTablesHaveTheSameCellsInEveryRow) {
  sample::Random random(17);
  for (int i = 0; i < 300; ++i) {
    std::vector<SuiteVerdict> verdicts;
    std::size_t columns = 0;
    for (auto n = 1 + random() % 3; n > 0; --n) {
      verdicts.push_back(sample::random_verdict(random));
      columns += verdicts.back().columns.size();
    }
    std::istringstream stream(markdown_report(verdicts));
    std::size_t rows = 0;
    for (std::string line; std::getline(stream, line);) {
      for (const char c : line) ASSERT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
      if (!line.starts_with("|")) continue;
      ASSERT_EQ(cells_of(line), 1 + 7 * verdicts.size()) << line;
      ++rows;
    }
    ASSERT_EQ(rows, columns == 0 ? 0 : columns + 2);
  }
}

}  // namespace
}  // namespace perfgate::report
