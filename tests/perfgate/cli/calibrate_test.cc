// SPDX-License-Identifier: Apache-2.0
// perfgate calibrate on executables whose noise is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <filesystem>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_command::code;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

Finished calibrate(const std::vector<std::string>& options,
                   const std::string& executable = NOISY_CASES_EXE) {
  Command command;
  command.arguments = {PERFGATE_EXE, "calibrate", executable, "--slice", "1ms", "--pairs", "4"};
  command.arguments.insert(command.arguments.end(), options.begin(), options.end());
  return run_command(command);
}

const CalibratedColumn& column_of(const Calibration& calibration, const std::string& name) {
  for (const CalibratedColumn& column : calibration.columns) {
    if (column.case_name.find(name) != std::string::npos) return column;
  }
  throw std::logic_error("no " + name);
}

TEST(Calibrate, MeasuresTheNoiseInItsParts) {
  const TemporaryFolder folder;
  const std::string file = folder / "c.json";
  const std::string session = folder / "s.json";
  const Finished finished = calibrate({"--filter", "noisy", "--rounds", "16", "--output", file,
                                       "--session", session, "--suite", "noise"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  for (const char* word : {"noisy/quiet", "noisy/loud", "false alarm", "16 rounds", "pair"}) {
    EXPECT_THAT(finished.out, HasSubstr(word));
  }
  EXPECT_THAT(finished.err, HasSubstr("round"));
  const Calibration calibration = read_calibration(file);
  EXPECT_EQ(calibration.rounds, 16);
  EXPECT_EQ(calibration.suite, "noise");
  EXPECT_EQ(calibration.policy.rounds, 0);    // of the gate, not of the calibration
  EXPECT_EQ(calibration.policy.budget_s, 0);  // automatic
  const Session recorded = read_session(session);
  EXPECT_EQ(recorded.id, calibration.session_id);
  EXPECT_EQ(recorded.rounds.size(), 16U);
  EXPECT_EQ(recorded.arms[0].digest, recorded.arms[1].digest);
  // sqrt(2) x .2 between launches; 16 rounds know an SD to a fifth.
  const CalibratedColumn& loud = column_of(calibration, "loud");
  EXPECT_GT(loud.between_sd, 0.1);
  EXPECT_LT(loud.pair_sd, 0.01);
  EXPECT_LT(column_of(calibration, "quiet").round_sd, 0.01);
  EXPECT_GT(calibration.round_s, 0);
}

TEST(Calibrate, NeverStopsEarly) {
  const TemporaryFolder folder;
  const std::string session = folder / "s.json";
  EXPECT_EQ(calibrate({"--rounds", "22", "--session", session}, QUICK_CASES_EXE).exit_code, 0);
  const Session recorded = read_session(session);
  EXPECT_EQ(recorded.rounds.size(), 22U);
  for (const RoundInfo& round : recorded.rounds) EXPECT_EQ(round.cases.size(), 2U);
  EXPECT_EQ(recorded.schedule.looks, (std::vector<int>{6, 10, 16, 22}));
}

TEST(Calibrate, FillsItsBudget) {
  const Finished finished = calibrate({"--budget", "1s", "--json", "-"}, QUICK_CASES_EXE);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const Calibration calibration = calibration_from_json(finished.out, "standard output");
  EXPECT_GE(calibration.rounds, 6);
  EXPECT_EQ(calibration.policy.budget_s, 0);  // automatic
  for (const CalibratedColumn& column : calibration.columns) {
    EXPECT_EQ(column.round_sd, 0);  // constant timings
    EXPECT_EQ(column.d.size(), static_cast<std::size_t>(calibration.rounds));
  }
}

TEST(Calibrate, ReplaysASeed) {
  const auto seed_of = [](const std::string& seed) {
    const Finished finished =
        calibrate({"--rounds", "6", "--seed", seed, "--output", "-"}, QUICK_CASES_EXE);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    return calibration_from_json(finished.out, "standard output").seed;
  };
  EXPECT_EQ(seed_of("abc"), "0000000000000abc");
}

TEST(Calibrate, ShowsTheGateOfThePolicy) {
  const TemporaryFolder folder;
  const std::string policy = folder / "p.json";
  testing_command::write_text(
      policy, R"({"format":"perfgate-policy","version":1,"tolerance":"7%","budget_s":45})");
  const Finished finished =
      calibrate({"--policy", policy, "--rounds", "6", "--output", "-"}, QUICK_CASES_EXE);
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const Calibration calibration = calibration_from_json(finished.out, "standard output");
  EXPECT_DOUBLE_EQ(calibration.policy.tolerance, 0.07);
  EXPECT_EQ(calibration.policy.budget_s, 45);
  EXPECT_THAT(finished.err, HasSubstr("below 20"));
}

TEST(Calibrate, ACaseThatFailsIsLeftOut) {
  const TemporaryFolder folder;
  const std::string file = folder / "c.json";
  const Finished finished = calibrate({"--rounds", "6", "--output", file});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kFailed)) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("broken on purpose"));
  const Calibration calibration = read_calibration(file);
  EXPECT_EQ(calibration.columns.size(), 2U);
  ASSERT_EQ(calibration.left_out.size(), 1U);
  EXPECT_THAT(calibration.left_out[0].case_name, HasSubstr("broken"));
}

TEST(Calibrate, WritesNothingWhereNothingCouldBeMeasured) {
  const TemporaryFolder folder;
  const std::string file = folder / "c.json";
  const Finished failed = calibrate({"--rounds", "6", "--output", file, "--filter", "broken"});
  EXPECT_EQ(failed.exit_code, static_cast<int>(Exit::kFailed));
  EXPECT_THAT(failed.err, HasSubstr("broken on purpose"));
  const Finished none = calibrate({"--rounds", "6", "--output", file, "--filter", "no such case"});
  EXPECT_EQ(none.exit_code, static_cast<int>(Exit::kNotComparable));
  EXPECT_THAT(none.err, HasSubstr("no case"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Calibrate, RefusesTooFewRoundsAndTooSmallBudgets) {
  for (const char* rounds : {"5", "1", "0", "-3"}) {
    const Finished finished = calibrate({"--rounds", rounds}, QUICK_CASES_EXE);
    EXPECT_EQ(finished.exit_code, code(Exit::kUsage)) << rounds;
    EXPECT_EQ(finished.out, "");
  }
  const Finished finished =
      calibrate({"--budget", "60ms", "--slice", "10ms", "--pairs", "100"}, QUICK_CASES_EXE);
  EXPECT_NE(finished.exit_code, 0);
  EXPECT_THAT(finished.err, HasSubstr("--budget"));
  EXPECT_EQ(calibrate({"--budget", ""}, QUICK_CASES_EXE).exit_code, code(Exit::kUsage));
  EXPECT_EQ(calibrate({"--output", ""}, QUICK_CASES_EXE).exit_code, code(Exit::kUsage));
  EXPECT_EQ(calibrate({}, "/no/such/executable").exit_code, static_cast<int>(Exit::kData));
}

TEST(Calibrate, RefusesOutputsBeforeItMeasures) {
  const TemporaryFolder folder;
  for (const char* option : {"--output", "--session"}) {
    const Finished finished = calibrate({option, folder / "missing/file"}, QUICK_CASES_EXE);
    EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kData));
    EXPECT_THAT(finished.err, Not(HasSubstr("listing")));
  }
  const std::string one = folder / "one.json";
  EXPECT_EQ(calibrate({"--output", one, "--session", one}, QUICK_CASES_EXE).exit_code,
            code(Exit::kUsage));
}

TEST(Calibrate, AnInterruptionLeavesNoCalibration) {
  const TemporaryFolder folder;
  const std::string file = folder / "c.json";
  const std::string session = folder / "s.json";
  Command command;
  command.arguments = {PERFGATE_EXE, "calibrate", QUICK_CASES_EXE, "--rounds", "10000",
                       "--output",   file,        "--session",     session};
  bool sent = false;
  command.meanwhile = [&](pid_t pid, const Finished& so_far) {
    if (!sent && so_far.err.find("round 6 ") != std::string::npos) {
      kill(pid, SIGINT);
      sent = true;
    }
  };
  const Finished finished = run_command(command);
  EXPECT_TRUE(sent) << finished.err;
  EXPECT_EQ(finished.exit_code, 128 + SIGINT);
  EXPECT_EQ(finished.out, "");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(read_session(session).complete);
}

}  // namespace
}  // namespace perfgate
