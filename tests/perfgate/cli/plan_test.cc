// SPDX-License-Identifier: Apache-2.0
// perfgate plan on calibrations, recorded and made from numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_perfgate.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing_command::code;
using testing_command::Finished;
using testing_command::run_perfgate;
using testing_command::TemporaryFolder;

class Plan : public testing::Test {
 protected:
  // One case: `rounds` rounds that alternate between +-amplitude, a little spread.
  std::string calibration(double amplitude, int rounds = 24) const {
    Calibration made = sample::full_calibration();
    made.policy = Policy{};
    made.rounds = rounds;
    made.left_out.clear();
    CalibratedColumn& column = made.columns[0];
    column.d.clear();
    for (int r = 0; r < rounds; ++r) {
      column.d.push_back((r % 2 == 0 ? 1 : -1) * amplitude * (1 + 0.01 * r));
    }
    column.round_sd = column.sample_sd = amplitude;
    std::string path = folder_ / "c.json";
    write_calibration(path, made);
    return path;
  }

  TemporaryFolder folder_;
};

TEST_F(Plan, QuietSuitesExitZero) {
  const Finished finished = run_perfgate({"plan", calibration(0.001)});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("1 of 1 case can be resolved"));
  EXPECT_THAT(finished.out, HasSubstr("--budget"));
}

TEST_F(Plan, NoisySuitesExitTwelveWithRulesThatHelp) {
  const std::string file = calibration(0.05);
  const std::string json = folder_ / "plan.json";
  const std::string markdown = folder_ / "plan.md";
  const Finished finished = run_perfgate({"plan", file, "--json", json, "--markdown", markdown});
  EXPECT_EQ(finished.exit_code, code(Exit::kInconclusive)) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("against a tolerance of 2 %"));
  EXPECT_THAT(testing_command::read_text(markdown), HasSubstr("| case | tol |"));
  const SuitePlan plan = read_plan(json);
  EXPECT_EQ(plan.exit, Exit::kInconclusive);
  ASSERT_EQ(plan.rules.size(), 1U);
  Policy policy;
  policy.cases = plan.rules;
  write_policy(folder_ / "p.json", policy);
  const Finished helped = run_perfgate(
      {"plan", file, "--policy", folder_ / "p.json", "--slowdown", "20%", "--json", "-"});
  EXPECT_EQ(helped.exit_code, 0) << helped.out;
  EXPECT_TRUE(plan_from_json(helped.out, "standard output").rules.empty());
}

TEST_F(Plan, TakesEveryOption) {
  const std::string file = calibration(0.01);
  const Finished finished =
      run_perfgate({"plan", file, "--tolerance", "3%", "--alpha", "0.02", "--power", "90%",
                    "--slowdown", "8%", "--budget", "10min", "--json", "-"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const SuitePlan plan = plan_from_json(finished.out, "standard output");
  EXPECT_DOUBLE_EQ(plan.policy.tolerance, 0.03);
  EXPECT_DOUBLE_EQ(plan.policy.alpha, 0.02);
  EXPECT_DOUBLE_EQ(plan.policy.budget_s, 600);
  EXPECT_DOUBLE_EQ(plan.power, 0.9);
  EXPECT_DOUBLE_EQ(plan.slowdown, 0.08);
  EXPECT_THAT(plan.policy.overrides, Contains(HasSubstr("tolerance 0.02 -> 0.03")));
}

TEST_F(Plan, ATooSmallBudgetResolvesNothing) {
  const Finished finished = run_perfgate({"plan", calibration(0.001), "--budget", "1s"});
  EXPECT_EQ(finished.exit_code, code(Exit::kInconclusive));
  EXPECT_THAT(finished.out, HasSubstr("reaches no look"));
}

TEST_F(Plan, RefusesValuesThatItCannotUse) {
  const std::string file = calibration(0.01);
  for (const auto& [option, value] :
       std::vector<std::pair<std::string, std::string>>{{"--power", "40%"},
                                                        {"--power", "100%"},
                                                        {"--power", "much"},
                                                        {"--power", ""},
                                                        {"--slowdown", "0"},
                                                        {"--slowdown", "-5%"},
                                                        {"--slowdown", "nan"},
                                                        {"--tolerance", "two"},
                                                        {"--tolerance", "-1%"},
                                                        {"--alpha", "0"},
                                                        {"--budget", "0s"},
                                                        {"--budget", "soon"}}) {
    const Finished finished = run_perfgate({"plan", file, option, value});
    EXPECT_EQ(finished.exit_code, code(Exit::kUsage)) << option << " " << value;
    EXPECT_EQ(finished.out, "");
    EXPECT_THAT(finished.err, HasSubstr(option.substr(2))) << finished.err;
  }
}

TEST_F(Plan, ReportShowsCalibrationAndPlanAgain) {
  const std::string file = calibration(0.01);
  const std::string json = folder_ / "plan.json";
  const Finished planned = run_perfgate({"plan", file, "--json", json});
  const Finished again = run_perfgate({"report", json});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out, planned.out);
  EXPECT_EQ(run_perfgate({"report", file}).exit_code, 0);
}

TEST_F(Plan, RefusesUnreadableCalibrations) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const std::string file = calibration(0.01);
  std::filesystem::permissions(file, std::filesystem::perms::none);
  EXPECT_EQ(run_perfgate({"plan", file}).exit_code, static_cast<int>(Exit::kData));
}

}  // namespace
}  // namespace perfgate
