// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/console_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "perfgate/report/text/text.h"
#include "tests/perfgate/report/golden_report.h"
#include "tests/perfgate/report/report_samples.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(ConsoleReport, LooksAsAgreed) {
  expect_golden("console_mixed.txt", console_report(sample::mixed_verdict()));
  expect_golden("console_identical.txt", console_report(sample::identical_verdict()));
  expect_golden("console_empty.txt", console_report(sample::empty_verdict()));
  expect_golden("console_skipped.txt", console_report(sample::skipped_verdict()));
}

TEST(ConsoleReport, ColoursOnlyWhenAsked) {
  const std::string plain = console_report(sample::mixed_verdict());
  std::string colored = console_report(sample::mixed_verdict(), {.color = true});
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
  EXPECT_THAT(colored, HasSubstr("\x1b[31mregression"));
  for (const std::string sequence : {"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"}) {
    for (std::size_t at = 0; (at = colored.find(sequence)) != std::string::npos;) {
      colored.erase(at, sequence.size());
    }
  }
  EXPECT_EQ(colored, plain);
}

TEST(ConsoleReport, RandomVerdictsFitAndArePrintable) {
  sample::Random random(15);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = console_report(sample::random_verdict(random));
    for (const std::string& line : lines_of(text)) {
      ASSERT_LE(line.size(), kWideTable) << line;
      for (const char c : line) ASSERT_TRUE(c >= 0x20 && c < 0x7f) << line;
    }
    ASSERT_TRUE(text.ends_with("\n"));
  }
}

// However long names and notes are, a table has one line per column of the verdict, in its order,
// gated ones first, and no name is lost.
TEST(ConsoleReport, EveryCaseAppearsExactlyOnce) {
  sample::Random random(16);
  for (int i = 0; i < 500; ++i) {
    SuiteVerdict verdict = sample::random_verdict(random);
    for (std::size_t c = 0; c < verdict.columns.size(); ++c) {
      ColumnVerdict& column = verdict.columns[c];
      column.case_name = "case" + std::to_string(1000 + c) + std::string(random() % 90, 'x');
      column.metric.name = "real_time";
      column.metric.unit = "s";
      column.reason = std::string(random() % 200, 'r');
    }
    const std::string text = console_report(verdict);
    std::size_t last = 0;
    for (const bool gated : {true, false}) {
      for (const ColumnVerdict& column : verdict.columns) {
        if (column.gated != gated) continue;
        const std::string name = column.case_name.substr(0, 8);
        const std::size_t at = text.find(name);
        ASSERT_NE(at, std::string::npos) << name << "\n" << text;
        ASSERT_EQ(text.find(name, at + 1), std::string::npos) << name << "\n" << text;
        ASSERT_GE(at, last) << "order\n" << text;
        last = at;
      }
    }
  }
}

TEST(ConsoleReport, NamesStayApartWhenShortened) {
  SuiteVerdict verdict = sample::verdict_without_columns();
  for (const int rows : {64, 128, 4096}) {
    const std::string name = "rmsnorm/impl:vector/rows:" + std::to_string(rows) +
                             "/cols:4096/a_long_parameter_name:a_long_value/dtype:bf16";
    verdict.columns.push_back(sample::measured_column(name.c_str(), Verdict::kInconclusive,
                                                      Claim::kNoiseDominated, 0.01, 0.02, 40));
  }
  const std::string text = console_report(verdict);
  for (const char* rows : {":64/", ":128/", ":4096/"}) EXPECT_THAT(text, HasSubstr(rows));
}

TEST(ConsoleReport, EqualNotesShareANumber) {
  SuiteVerdict verdict = sample::verdict_without_columns();
  const std::string reason(150, 'r');
  for (const char* name : {"a", "b"}) {
    verdict.columns.push_back(sample::faulty_column(name, Verdict::kFailed, reason.c_str()));
  }
  const std::string text = console_report(verdict);
  EXPECT_THAT(text, HasSubstr("[1]"));
  EXPECT_THAT(text, Not(HasSubstr("[2]")));
}

TEST(ConsoleReport, WarningsAppearOnce) {
  const std::string text = console_report(sample::mixed_verdict());
  const std::string warning = "the frequency governor is not pinned";
  const std::size_t first = text.find(warning);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find(warning, first + 1), std::string::npos);
}

TEST(ConsoleReport, IntervalsCarryOnlyTheirTrueLabel) {
  SuiteVerdict verdict = sample::verdict_without_columns();
  verdict.columns = {
      sample::measured_column("a", Verdict::kInconclusive, Claim::kInsufficient, 0.01, 0.02, 4)};
  const std::string few = console_report(verdict);
  EXPECT_THAT(few, Not(HasSubstr("valid after early stopping")));
  EXPECT_THAT(few, HasSubstr("-1.00..+3.00 (87.5 %)"));
  EXPECT_THAT(few, HasSubstr("Below 6 rounds"));
  EXPECT_THAT(few, Not(HasSubstr("CI95")));
  EXPECT_THAT(few, HasSubstr("insufficient"));
  EXPECT_THAT(few, HasSubstr("min..max  n  claim"));

  verdict.columns.push_back(
      sample::measured_column("b", Verdict::kNoRegression, Claim::kNoiseDominated, 0.0, 0.01, 6));
  EXPECT_THAT(console_report(verdict), HasSubstr("CI95 or min..max  n  claim"));
  verdict.columns.erase(verdict.columns.begin());
  EXPECT_THAT(console_report(verdict), HasSubstr("CI95  n  claim"));
  EXPECT_THAT(console_report(verdict), Not(HasSubstr("min..max")));
}

}  // namespace
}  // namespace perfgate::report
