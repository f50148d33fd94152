// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/alternatives/alternatives_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "perfgate/report/alternatives/alternatives_text.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/report/golden_report.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Standing standing_of(double value, double speed_up, int rank_lo, int rank_hi) {
  Standing standing;
  standing.value = value;
  standing.over_reference = {speed_up, speed_up * 0.98, speed_up * 1.03};
  standing.rank_lo = rank_lo;
  standing.rank_hi = rank_hi;
  return standing;
}

// Two sizes of three sorts, of which one crashes in the larger.
AlternativesVerdict three_sorts() {
  AlternativesVerdict verdict = sample::full_alternatives();
  verdict.grade = "paired";
  verdict.policy = Policy{};
  verdict.policy.overrides = {"rounds 0 -> 10 (command line)"};
  verdict.schedule.replayed = false;
  verdict.family = Family::kSuite;
  verdict.only_reference = false;
  verdict.reference = 0;
  verdict.suite = "sorts";
  verdict.arms[0].label = "std";
  verdict.arms[1].label = "radix";
  verdict.arms[2].label = "heap";
  AlternativesRow small = verdict.rows[0];
  small.standings = {standing_of(2.3e-7, 1, 1, 2), standing_of(2.2e-7, 1.045, 1, 2),
                     standing_of(1.03e-6, 0.2233, 3, 3)};
  small.standings[0].over_reference = {1, kNan, kNan};
  AlternativesRow large = small;
  large.case_name = "sort/count:65536";
  large.size = 65536;
  large.standings[1] = standing_of(4.22e-4, 7.3, 1, 1);
  large.standings[0] = standing_of(3.05e-3, 1, 2, 2);
  large.standings[0].over_reference = {1, kNan, kNan};
  large.standings[2] = {};
  large.standings[2].status = AlternativeStatus::kFailed;
  large.standings[2].reason = "crashed: killed by signal 11 (Segmentation fault)";
  verdict.rows = {small, large};
  verdict.overall = {small};
  verdict.overall[0].case_name = "";
  return verdict;
}

TEST(AlternativesReport, Console) {
  const std::string text = alternatives_console_report(three_sorts());
  expect_fits(text);
  expect_golden("alternatives.txt", text);
}

TEST(AlternativesReport, Markdown) {
  expect_golden("alternatives.md", alternatives_markdown_report(three_sorts()));
}

TEST(AlternativesReport, SaysWhatConfidenceTooFewRoundsGive) {
  AlternativesVerdict verdict = three_sorts();
  verdict.holds = false;
  verdict.confidence = 0.906;
  std::string text = alternatives_console_report(verdict);
  EXPECT_THAT(text, HasSubstr("CI90.6"));
  EXPECT_THAT(text, HasSubstr("ranks need 95 %"));
  EXPECT_THAT(text, Not(HasSubstr("CI95")));
  verdict.confidence = 0;
  for (Standing& standing : verdict.rows[0].standings) {
    standing.over_reference.lo = standing.over_reference.hi = kNan;
  }
  text = alternatives_markdown_report(verdict);
  EXPECT_THAT(text, Not(HasSubstr("CI95")));
}

TEST(AlternativesReport, AnyComparisonFitsTheConsole) {
  sample::Random random(3);
  for (int i = 0; i < 100; ++i) {
    const AlternativesVerdict verdict = sample::random_alternatives(random);
    expect_fits(alternatives_console_report(verdict));
    for (const char c : alternatives_markdown_report(verdict)) {
      EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    }
  }
}

TEST(AlternativesReport, NothingToShow) {
  AlternativesVerdict verdict = three_sorts();
  verdict.rows.clear();
  verdict.overall.clear();
  verdict.arms.clear();
  EXPECT_THAT(alternatives_console_report(verdict), HasSubstr("Exit 11."));
}

TEST(AlternativesText, Numbers) {
  const TableUnit us{1e-6, "us"};
  EXPECT_EQ(in_unit(1.2344e-6, us), "1.234");
  EXPECT_EQ(in_unit(123456e-6, us), "123456");
  EXPECT_EQ(in_unit(1.2345e-8, us), "0.01235");
  EXPECT_EQ(in_unit(1e-14, us), "0.000000");
  EXPECT_EQ(in_unit(99.99999e-6, us), "100.0");
  EXPECT_EQ(in_unit(0, us), "0");
  EXPECT_EQ(in_unit(kNan, us), "-");
  EXPECT_EQ(speed_up_number(1.00234), "1.002");
  EXPECT_EQ(speed_up_number(0.9984), "0.998");
  EXPECT_EQ(speed_up_number(12.3456), "12.35");
  EXPECT_EQ(speed_up_number(0.012345), "0.0123");
  EXPECT_EQ(speed_up_number(1234.5), "1234");
  EXPECT_EQ(speed_up_number(kNan), "-");
  EXPECT_EQ(rank_text(standing_of(1, 1, 2, 3)), "2-3");
  EXPECT_EQ(rank_text(standing_of(1, 1, 2, 2)), "2");
  EXPECT_EQ(rank_text({}), "-");
}

TEST(AlternativesText, OneUnitForATable) {
  AlternativesVerdict verdict = three_sorts();
  EXPECT_EQ(unit_of(verdict).name, "us");
  for (AlternativesRow& row : verdict.rows) {
    for (Standing& standing : row.standings) standing.value = 5e-3;
  }
  EXPECT_EQ(unit_of(verdict).name, "ms");
  verdict.metric = {"throughput", "tok/s", Direction::kHigher, Kind::kRate};
  EXPECT_EQ(unit_of(verdict).name, "tok/s");
  EXPECT_EQ(unit_of(verdict).factor, 1);
}

}  // namespace
}  // namespace perfgate::report
