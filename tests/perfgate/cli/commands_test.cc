// SPDX-License-Identifier: Apache-2.0
// `perfgate gate --command`: two command lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class Commands : public testing::Test {
 protected:
  Finished Gate(const std::string& baseline, const std::string& candidate,
                std::vector<std::string> options = {}) {
    std::vector<std::string> arguments = {"gate",     "--rounds", "10",
                                          "--pairs",  "1",        "--slice",
                                          "1ms",      "--json",   folder_ / "verdict.json",
                                          "--command"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", baseline, candidate});
    return testing_command::run_program(PERFGATE_EXE, arguments);
  }

  void Expect(const Finished& gate, Exit exit, const std::string& part) {
    EXPECT_EQ(gate.exit_code, static_cast<int>(exit)) << gate.out << gate.err;
    EXPECT_THAT(gate.out + gate.err, HasSubstr(part));
  }

  TemporaryFolder folder_;
};

TEST_F(Commands, ASlowerOneIsFound) {
  const Finished gate = Gate("sleep 0.01", "sleep 0.4", {"--name", "nap"});
  Expect(gate, Exit::kRegression, "nap");
  const SuiteVerdict verdict = read_verdict(folder_ / "verdict.json");
  EXPECT_EQ(verdict.arms[0].driver, DriverKind::kCommand);
  EXPECT_EQ(verdict.arms[1].path, "sleep 0.4");
  EXPECT_GE(verdict.columns.front().candidate, 0.4);
  EXPECT_THAT(gate.out, AllOf(HasSubstr("user_time"), Not(HasSubstr("Layouts"))));
}

TEST_F(Commands, OneCommandTwiceIsMeasured) {
  const Finished gate = Gate("true", "true", {"--tolerance", "900%"});
  Expect(gate, Exit::kPass, "declared A/A");
  EXPECT_GT(read_verdict(folder_ / "verdict.json").rounds, 0);
}

TEST_F(Commands, AShellIsUsedWhereTheLineNeedsOne) {
  Expect(Gate("true", "true | sleep 0.3"), Exit::kRegression, "regression");
  Expect(Gate("true", "false | true", {"--shell", "none"}), Exit::kFailed, "exited with code 1");
  Expect(Gate("true", "false | true", {"--tolerance", "900%"}), Exit::kPass, "");
  Expect(Gate("true", "exit 0", {"--shell", "auto"}), Exit::kData, "--shell default");
  Expect(Gate("true", "exit 0", {"--shell", "default", "--tolerance", "900%"}), Exit::kPass, "");
}

TEST_F(Commands, FailuresAreWhoseTheyAre) {
  Expect(Gate("true", "false"), Exit::kFailed, "exited with code 1");
  Expect(Gate("false", "true"), Exit::kNotComparable, "exited with code 1");
  Expect(Gate("true", "sh -c 'kill -9 $$'", {"--shell", "none"}), Exit::kFailed, "signal 9");
  Expect(Gate("false", "false", {"--expect-exit", "1", "--tolerance", "900%"}), Exit::kPass, "");
  Expect(Gate("false", "true", {"--ignore-failure", "--tolerance", "900%"}), Exit::kPass, "");
  Expect(Gate("true", "no-such-program-here"), Exit::kData, "there is no program");
  Expect(Gate("true", "sh -c 'echo what it says >&2; exit 3'", {"--shell", "none"}), Exit::kFailed,
         "what it says");
}

TEST_F(Commands, ProcessesThatStayBehindAreFound) {
  Expect(Gate("true", "setsid sleep 100 &"), Exit::kInvalid, "must end with all that it starts");
}

TEST_F(Commands, TerminalAndInputAreNotTheirs) {
  Expect(Gate("true", "cat", {"--tolerance", "900%"}), Exit::kPass, "");
  Expect(Gate("true", "echo x > /dev/tty"), Exit::kFailed, "/dev/tty");
  testing_command::write_text(folder_ / "in", "abc");
  Expect(Gate("grep -q abc", "grep -q abc", {"--input", folder_ / "in", "--tolerance", "900%"}),
         Exit::kPass, "");
  Expect(Gate("true", "true", {"--input", folder_ / "none"}), Exit::kData, "cannot be read");
}

TEST_F(Commands, OutputCanBeCompared) {
  Expect(Gate("echo a", "echo b", {"--compare-output"}), Exit::kNotComparable, "standard_output");
  Expect(Gate("echo a", "printf 'a\\n'", {"--compare-output", "--tolerance", "900%"}), Exit::kPass,
         "");
}

TEST_F(Commands, PreparationsRunAroundThem) {
  const std::string log = folder_ / "log";
  Expect(Gate("test -e " + log, "test -e " + log,
              {"--setup", "echo setup >> " + log, "--prepare", "echo prepare >> " + log,
               "--cleanup", "echo cleanup >> " + log, "--tolerance", "900%"}),
         Exit::kPass, "");
  const std::string text = testing_command::read_text(log);
  EXPECT_THAT(text, testing::StartsWith("setup\nprepare\n"));
  EXPECT_THAT(text, testing::EndsWith("prepare\ncleanup\n"));
  Expect(Gate("true", "true", {"--prepare", "false"}), Exit::kFailed, "the preparation failed");
  Expect(Gate("true", "true", {"--setup", "false"}), Exit::kData, "--setup");
}

TEST_F(Commands, BadLinesAreRefused) {
  Expect(Gate("true", ""), Exit::kUsage, "empty");
  Expect(Gate("true", "echo 'x"), Exit::kUsage, "a quote is open");
  Expect(Gate("true", "true", {"--candidate-args", "x"}), Exit::kUsage, "--command does not go");
  const Finished one =
      testing_command::run_program(PERFGATE_EXE, {"gate", "--command", "--", "true"});
  Expect(one, Exit::kUsage, "compares two lines");
  const Finished none = testing_command::run_program(PERFGATE_EXE, {"gate", "true", "true"});
  Expect(none, Exit::kUsage, "--command -- 'A' 'B'");
}

}  // namespace
}  // namespace perfgate
