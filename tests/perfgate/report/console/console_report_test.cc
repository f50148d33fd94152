// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/console/console_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "perfgate/base/text/case_pattern.h"
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
  expect_golden("console_mixed_verbose.txt",
                console_report(sample::mixed_verdict(), {.all = true, .verbose = true}));
  expect_golden("console_mixed_80.txt", console_report(sample::mixed_verdict(), {.width = 80}));
  expect_golden("console_mixed_40.txt", console_report(sample::mixed_verdict(), {.width = 40}));
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
    const SuiteVerdict verdict = sample::random_verdict(random);
    std::size_t longest = 0;  // a name is never cut; ten more for the metric behind it
    for (const ColumnVerdict& column : verdict.columns) {
      longest = std::max(longest, NameAsPattern(column.case_name).size() +
                                      escaped_ascii(column.metric.name).size() + 20);
    }
    for (const std::size_t width : {0U, 40U, 80U, 200U}) {
      const ConsoleOptions options = {.width = width, .all = i % 2 == 0, .verbose = i % 3 == 0};
      const std::string text = console_report(verdict, options);
      for (const std::string& line : lines_of(text)) {
        ASSERT_LE(line.size(), std::max(longest, options.TableWidth())) << line;
        for (const char c : line) ASSERT_TRUE(c >= 0x20 && c < 0x7f) << line;
      }
      ASSERT_TRUE(text.ends_with("\n"));
    }
  }
}

// However long names and notes are, every case of the verdict is there, in its order, gated ones
// first, and its name is whole.
TEST(ConsoleReport, EveryCaseAppearsExactlyOnce) {
  sample::Random random(16);
  for (int i = 0; i < 500; ++i) {
    SuiteVerdict verdict = sample::random_verdict(random);
    for (std::size_t c = 0; c < verdict.columns.size(); ++c) {
      ColumnVerdict& column = verdict.columns[c];
      column.case_name = "case" + std::to_string(1000 + c) + std::string(random() % 500, 'x') + ".";
      column.metric.name = "real_time";
      column.metric.unit = "s";
      column.reason = std::string(random() % 200, 'r');
      column.hot_code.clear();
    }
    const std::size_t width = std::vector<std::size_t>{0, 40, 80, 200}[random() % 4];
    const std::string text = console_report(verdict, {.width = width, .all = true});
    std::size_t last = 0;
    for (const bool gated : {true, false}) {
      for (const ColumnVerdict& column : verdict.columns) {
        if (column.gated != gated) continue;
        const std::string name = NameAsPattern(column.case_name);
        const std::size_t at = text.find(name);
        ASSERT_NE(at, std::string::npos) << name << "\n" << text;
        ASSERT_EQ(text.find(name, at + 1), std::string::npos) << name << "\n" << text;
        ASSERT_GE(at, last) << "order\n" << text;
        last = at;
      }
    }
  }
}

TEST(ConsoleReport, NamesAreWhole) {
  SuiteVerdict verdict = sample::verdict_without_columns();
  for (const int rows : {64, 128, 4096}) {
    const std::string name = "rmsnorm/impl:vector/rows:" + std::to_string(rows) +
                             "/cols:4096/a_long_parameter_name:a_long_value/dtype:bf16";
    verdict.columns.push_back(sample::measured_column(name.c_str(), Verdict::kInconclusive,
                                                      Claim::kNoiseDominated, 0.01, 0.02, 40));
  }
  const std::string narrow = console_report(verdict, {.width = 100});
  EXPECT_THAT(narrow, HasSubstr("In every name: rmsnorm, impl:vector, cols:4096, "
                                "a_long_parameter_name:a_long_value, dtype:bf16"));
  for (const char* rows : {" rows:64 ", " rows:128 ", " rows:4096 "}) {
    EXPECT_THAT(narrow, HasSubstr(rows));
  }
  const std::string wide = console_report(verdict, {.width = 200});
  EXPECT_THAT(wide, Not(HasSubstr("In every name")));
  EXPECT_THAT(wide, HasSubstr("rmsnorm/impl:vector/rows:128/cols:4096/"));
}

SuiteVerdict VerdictOf(std::size_t passed, std::size_t missing) {
  SuiteVerdict verdict = sample::verdict_without_columns();
  verdict.warnings.clear();
  for (std::size_t i = 0; i < passed; ++i) {
    verdict.columns.push_back(sample::measured_column(("pass/n:" + std::to_string(i)).c_str(),
                                                      Verdict::kNoRegression, Claim::kDirectional,
                                                      0.001 * static_cast<double>(i), 0.002, 10));
  }
  for (std::size_t i = 0; i < missing; ++i) {
    verdict.columns.push_back(sample::faulty_column(("gone/n:" + std::to_string(i)).c_str(),
                                                    Verdict::kMissing, "absent: candidate"));
  }
  return verdict;
}

TEST(ConsoleReport, PassedCasesShareALine) {
  const SuiteVerdict verdict = VerdictOf(8, 0);
  const std::string folded = console_report(verdict);
  EXPECT_THAT(folded, HasSubstr("8 cases, upper ends of CI95 up to +0.90 %"));
  EXPECT_THAT(folded, Not(HasSubstr("pass/n:3")));
  const std::string all = console_report(verdict, {.all = true});
  EXPECT_THAT(all, Not(HasSubstr("8 cases")));
  EXPECT_THAT(all, HasSubstr("pass/n:3"));
  EXPECT_THAT(console_report(VerdictOf(1, 0)), HasSubstr("pass/n:0"));
}

TEST(ConsoleReport, ManyUnmeasuredCasesShareALine) {
  const std::string text = console_report(VerdictOf(0, 101));
  EXPECT_THAT(text, HasSubstr("101 cases: absent: candidate; the first is gone/n:0"));
  EXPECT_THAT(text, Not(HasSubstr("gone/n:7")));
  EXPECT_THAT(console_report(VerdictOf(0, 3)), HasSubstr("gone/n:2"));
}

// Whatever is measured: ten cases and what to know of them are one screen of 24 lines.
TEST(ConsoleReport, TenCasesAreOneScreen) {
  SuiteVerdict verdict = VerdictOf(0, 0);
  verdict.policy.overrides.clear();
  verdict.change.clear();
  verdict.trusted_commit.clear();
  for (int i = 0; i < 10; ++i) {
    verdict.columns.push_back(sample::measured_column(
        ("rmsnorm/impl:vector/rows:" + std::to_string(i) + "/dtype:bf16").c_str(),
        i < 5 ? Verdict::kRegression : Verdict::kInconclusive, Claim::kDirectional, 0.05, 0.02,
        24));
  }
  EXPECT_LE(lines_of(console_report(verdict, {.width = 100})).size(), 23U)
      << console_report(verdict, {.width = 100});
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
  const std::string few = console_report(verdict, {.verbose = true});
  EXPECT_THAT(few, Not(HasSubstr("valid after early stopping")));
  EXPECT_THAT(few, HasSubstr("-1.00..+3.00 (87.5 %)"));
  EXPECT_THAT(few, HasSubstr("Below 6 rounds"));
  EXPECT_THAT(few, Not(HasSubstr("CI95")));
  EXPECT_THAT(few, HasSubstr("insufficient"));
  EXPECT_THAT(few, HasSubstr("min..max  n  claim"));

  verdict.columns.push_back(
      sample::measured_column("b", Verdict::kNoRegression, Claim::kNoiseDominated, 0.0, 0.01, 6));
  EXPECT_THAT(console_report(verdict, {.verbose = true}), HasSubstr("CI95 or min..max  n  claim"));
  verdict.columns.erase(verdict.columns.begin());
  EXPECT_THAT(console_report(verdict, {.verbose = true}), HasSubstr("CI95  n  claim"));
  EXPECT_THAT(console_report(verdict, {.verbose = true}), Not(HasSubstr("min..max")));
}

}  // namespace
}  // namespace perfgate::report
