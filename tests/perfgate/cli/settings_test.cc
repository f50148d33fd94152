// SPDX-License-Identifier: Apache-2.0
// `perfgate gate` on one program under another argument, another variable, or in other cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/perfgate/cli/verdict_column.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_command::column_of;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class Settings : public testing::Test {
 protected:
  Finished Gate(std::vector<std::string> options, const std::string& executable = SETTINGS_EXE) {
    std::vector<std::string> arguments = {"gate",
                                          "--baseline",
                                          executable,
                                          "--rounds",
                                          "10",
                                          "--slice",
                                          "1ms",
                                          "--pairs",
                                          "2",
                                          "--json",
                                          folder_ / "verdict.json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return testing_command::run_program(PERFGATE_EXE, arguments);
  }

  void ExpectRefusal(std::vector<std::string> options, const std::string& part) {
    const Finished gate = Gate(std::move(options));
    EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kUsage)) << gate.out << gate.err;
    EXPECT_THAT(gate.err, HasSubstr(part));
  }

  TemporaryFolder folder_;
};

// By a preloaded worker, where the library can be one, and by processes.
TEST_F(Settings, AnotherArgumentIsJudged) {
  for (const char* drive : {"--color", "--no-preload"}) {
    const Finished slower = Gate({"--candidate", SETTINGS_EXE, "--candidate-args",
                                  "--us 120 'say two words'", "--filter", "old/", drive});
    EXPECT_EQ(slower.exit_code, static_cast<int>(Exit::kRegression)) << slower.out << slower.err;
    EXPECT_THAT(slower.out,
                AllOf(HasSubstr("nothing against --us 120 'say two words'"),
                      HasSubstr("the executable is the same"), Not(HasSubstr("identical"))));
    const Finished same = Gate({"--candidate", SETTINGS_EXE, "--baseline-args", "--us 100",
                                "--candidate-args", "--us 100.5", "--filter", "old/", drive});
    EXPECT_EQ(same.exit_code, static_cast<int>(Exit::kPass)) << same.out << same.err;
  }
}

TEST_F(Settings, AnotherVariableIsJudged) {
  const Finished slower =
      Gate({"--candidate-env", "US=130", "--baseline-env", "US=100", "--filter", "old/"});
  EXPECT_EQ(slower.exit_code, static_cast<int>(Exit::kRegression)) << slower.out << slower.err;
  EXPECT_THAT(slower.out, HasSubstr("US=100 against US=130"));
}

TEST_F(Settings, AnotherFamilyIsJudged) {
  const Finished gate = Gate({"--baseline-filter", "old/(.*)", "--candidate-filter", "new/\\1"});
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kRegression)) << gate.out << gate.err;
  EXPECT_THAT(gate.out, HasSubstr("cases old/(.*) against cases new/\\\\1"));
  const std::string verdict = folder_ / "verdict.json";
  EXPECT_EQ(column_of(verdict, "old/sort/manual_time").verdict, Verdict::kRegression);
  EXPECT_EQ(column_of(verdict, "old/scan/manual_time").verdict, Verdict::kNoRegression);
  EXPECT_EQ(column_of(verdict, "new/sort/manual_time").case_name, "");
}

TEST_F(Settings, ACaseThatTheCandidateLacksIsMissing) {
  const Finished gate =
      Gate({"--baseline-filter", "old/(sort.*)", "--candidate-filter", "newer/\\1"});
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kNotComparable)) << gate.out << gate.err;
}

TEST_F(Settings, AlternativesThatDifferOnPurposeFailNothing) {
  const Finished gate =
      Gate({"--candidate-env", "US=130", "--filter", "old/", "--expect-different"});
  EXPECT_EQ(gate.exit_code, 0) << gate.out << gate.err;
  EXPECT_THAT(gate.out, HasSubstr("compared as alternatives"));
  EXPECT_EQ(column_of(folder_ / "verdict.json", "old/sort/manual_time").verdict,
            Verdict::kRegression);
}

// Rounds of other settings are no rounds of this experiment.
TEST_F(Settings, TheLedgerTellsSettingsApart) {
  const std::vector<std::string> ledger = {"--ledger", folder_ / "ledger", "--suite",
                                           "s",        "--filter",         "old/"};
  std::vector<std::string> slower = ledger;
  slower.insert(slower.end(), {"--candidate-env", "US=130"});
  EXPECT_EQ(Gate(slower).exit_code, static_cast<int>(Exit::kRegression));
  std::vector<std::string> same = ledger;
  same.insert(same.end(), {"--candidate-env", "US=100"});
  const Finished gate = Gate(same);
  EXPECT_EQ(gate.exit_code, 0) << gate.out << gate.err;
}

TEST_F(Settings, CasesOfOneFileAreCompared) {
  std::vector<std::string> import = {"import", "--arm", "baseline", "--output", folder_ / "all.s"};
  for (int i = 0; i < 7; ++i) {
    const std::string file = folder_ / ("run" + std::to_string(i) + ".json");
    testing_command::run_program(
        SETTINGS_EXE, {"--benchmark_out=" + file, "--benchmark_out_format=json",
                       "--benchmark_min_time=0.001", "--us", std::to_string(100 + 0.01 * i)});
    import.push_back(file);
  }
  ASSERT_EQ(testing_command::run_program(PERFGATE_EXE, import).exit_code, 0);
  const auto gate = [&](const std::string& candidate) {
    return testing_command::run_program(
        PERFGATE_EXE, {"gate", "--baseline", folder_ / "all.s", "--candidate", folder_ / "all.s",
                       "--baseline-filter", "old/(.*)", "--candidate-filter", candidate});
  };
  const Finished slower = gate("new/\\1");
  EXPECT_EQ(slower.exit_code, static_cast<int>(Exit::kSuspected)) << slower.out << slower.err;
  EXPECT_THAT(slower.out, HasSubstr("cases of one file"));
  EXPECT_EQ(gate("old/\\1").exit_code, static_cast<int>(Exit::kUsage)) << "with itself";
}

TEST_F(Settings, BadSettingsAreRefused) {
  ExpectRefusal({"--candidate-args", "--us '120"}, "a quote is open");
  ExpectRefusal({"--candidate-args", "--us 120\\"}, "ends in a backslash");
  ExpectRefusal({"--candidate-args", "--benchmark_filter=x"}, "perfgate passes --benchmark_filter");
  ExpectRefusal({"--candidate-env", "US"}, "expected NAME=VALUE");
  ExpectRefusal({"--candidate-env", "1US=3"}, "expected NAME=VALUE");
  ExpectRefusal({"--candidate-env", "US=1", "--candidate-env", "US=2"}, "given twice");
  ExpectRefusal({"--candidate-env", "LD_LIBRARY_PATH=/x"}, "changes which code is loaded");
  ExpectRefusal({"--candidate-env", "PERFGATE_WORKER=3"}, "perfgate's own");
  ExpectRefusal({"--baseline-filter", "old/.*"}, "go together");
  ExpectRefusal({"--baseline-filter", "old/(", "--candidate-filter", "new"}, "--baseline-filter");
  ExpectRefusal({"--baseline-filter", "old/(.*)", "--candidate-filter", "new/\\2"},
                "is no group of");
  ExpectRefusal({"--baseline-filter", "old/.*", "--candidate-filter", "new/sort/manual_time"},
                "would both be compared with");
  ExpectRefusal({"--baseline-filter", "olde/.*", "--candidate-filter", "new"}, "of no case");
  ExpectRefusal({"--aa", "--candidate-env", "US=1"}, "--aa");
}

TEST_F(Settings, AnArgumentThatTheProgramRefusesIsAFailedLaunch) {
  const Finished gate = Gate({"--candidate-args", "--no-such-option"});
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kFailed)) << gate.out << gate.err;
  EXPECT_THAT(gate.out, HasSubstr("unknown argument --no-such-option"));
}

}  // namespace
}  // namespace perfgate
