// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/calibration_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "perfgate/report/parts/case_table.h"
#include "perfgate/report/parts/noise_text.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/report/calibration_samples.h"
#include "tests/perfgate/report/golden_report.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string console(const Calibration& calibration) {
  return calibration_console_report(calibration, analyse_noise(calibration, 100));
}

TEST(CalibrationReport, LooksAsAgreed) {
  const Calibration calibration = sample::calibration_of_four();
  expect_golden("calibration.txt", console(calibration));
  expect_fits(console(calibration));
  expect_golden("calibration.md",
                calibration_markdown_report(calibration, analyse_noise(calibration, 100)));
}

TEST(CalibrationReport, ASingleConstantCaseOfOnePair) {
  Calibration calibration = sample::calibration_of_four();
  calibration.columns.resize(1);
  calibration.columns[0].d.assign(static_cast<std::size_t>(calibration.rounds), 0.0);
  calibration.columns[0].round_sd = calibration.columns[0].sample_sd = 0;
  calibration.columns[0].pair_sd = calibration.columns[0].between_sd = NAN;
  calibration.left_out.clear();
  calibration.policy.pairs = 1;
  expect_golden("calibration_single.txt", console(calibration));
}

TEST(CalibrationReport, SaysThatTheBudgetReachesNoLook) {
  Calibration calibration = sample::calibration_of_four();
  calibration.policy.budget_s = 1;
  const std::string text = console(calibration);
  EXPECT_THAT(text, HasSubstr("reaches no look"));
  EXPECT_THAT(text, Not(HasSubstr("Alarms")));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(CalibrationReport, ColoursOnlyWhenAsked) {
  const Calibration calibration = sample::calibration_of_four();
  EXPECT_THAT(console(calibration), Not(HasSubstr("\x1b")));
  EXPECT_THAT(
      calibration_console_report(calibration, analyse_noise(calibration, 100), {.color = true}),
      HasSubstr("\x1b[33m"));
}

TEST(CalibrationReport, HostileNamesNeitherBreakLinesNorMoveTheCursor) {
  Calibration calibration = sample::calibration_of_four();
  calibration.columns[0].case_name = "a\x1b[2Jb\nc\xff" + std::string(300, 'x');
  calibration.columns[1].metric.unit = std::string(200, 'u');
  calibration.left_out[0].reason = "\r\n" + std::string(500, 'r');
  calibration.suite = "s\x1b";
  const std::string text = console(calibration);
  expect_fits(text);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
}

TEST(CalibrationReport, RandomCalibrationsFit) {
  sample::Random random(31);
  for (int i = 0; i < 20; ++i) {
    Calibration calibration = sample::random_calibration(random);
    for (CalibratedColumn& column : calibration.columns) {
      for (double& d : column.d) d = std::isfinite(std::exp(std::abs(d))) ? d : 0.5;
    }
    calibration.policy.rounds = 6;
    expect_fits(console(calibration));
  }
}

TEST(CaseTable, PutsNotesBelowWhereTheyDoNotFit) {
  const std::vector<Align> align = {Align::kLeft, Align::kRight};
  const std::vector<Row> rows = {{{"case", ""}, {"n", ""}},
                                 {{"first/of:many", ""}, {"1", ""}},
                                 {{"second", ""}, {"22", ""}},
                                 {{"third", ""}, {"3", ""}}};
  EXPECT_EQ(case_table(rows, align, {"short", "", ""}),
            "case            n\n"
            "first/of:many   1  short\n"
            "second         22\n"
            "third           3\n");
  const std::string longer(90, 'y');
  EXPECT_EQ(case_table(rows, align, {longer, "", longer}),
            "case            n\n"
            "first/of:many   1  [1]\n"
            "second         22\n"
            "third           3  [1]\n"
            "[1]       " +
                longer + "\n");
}

TEST(NoiseText, IsShort) {
  const Metric count{.name = "allocs", .unit = "1", .kind = Kind::kCount};
  EXPECT_EQ(noise_text(0.00612, Metric{}), "0.61 %");
  EXPECT_EQ(noise_text(0, Metric{}), "0.00 %");
  EXPECT_EQ(noise_text(NAN, Metric{}), "-");
  EXPECT_EQ(noise_text(2.5, count), "2.5");
  EXPECT_EQ(rounds_text(std::nullopt), "never");
  EXPECT_EQ(rounds_text(1000), "1000");
  EXPECT_EQ(rounds_text(1001), ">1000");
  EXPECT_EQ(counted(1, "round"), "1 round");
  EXPECT_EQ(counted(0, "round"), "0 rounds");
  EXPECT_EQ(about(8.26), "8.3");
  EXPECT_EQ(about(40), "40");
  EXPECT_EQ(case_and_metric("a", Metric{}), "a");
  EXPECT_EQ(case_and_metric("a", count), "a [allocs]");
}

}  // namespace
}  // namespace perfgate::report
