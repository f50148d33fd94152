// SPDX-License-Identifier: Apache-2.0
// What the options of a gate do to a real one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class GateOptions : public testing::Test {
 protected:
  GateOptions() : other_(folder_ / "other") {
    testing_command::write_text(other_, testing_command::read_text(QUICK_CASES_EXE) + "x");
    std::filesystem::permissions(other_, std::filesystem::perms::owner_all);
  }

  Finished gate(const std::vector<std::string>& options) const {
    Command command;
    command.arguments = {PERFGATE_EXE, "gate",     "--baseline", QUICK_CASES_EXE, "--candidate",
                         other_,       "--rounds", "6",          "--slice",       "1ms",
                         "--pairs",    "1",        "--all"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    return run_command(command);
  }

  TemporaryFolder folder_;
  std::string other_;
};

TEST_F(GateOptions, WritesEveryOutputThatIsAsked) {
  const std::string json = folder_ / "v.json";
  const std::string session = folder_ / "s.json";
  const std::string markdown = folder_ / "r.md";
  const Finished finished = gate(
      {"--json", json, "--session", session, "--markdown", markdown, "--suite", "quick suite"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  const SuiteVerdict verdict = read_verdict(json);
  EXPECT_EQ(verdict.suite, "quick suite");
  EXPECT_EQ(verdict.session_id, read_session(session).id);
  EXPECT_EQ(verdict.columns.size(), 2U);
  EXPECT_EQ(verdict.rounds, 6);
  EXPECT_THAT(testing_command::read_text(markdown), HasSubstr("quick/one"));
  EXPECT_THAT(finished.out, HasSubstr("quick/two"));
}

// A gate of so few rounds may show what it saw, but claims nothing, on the console, as Markdown and
// when its files are shown again.
TEST_F(GateOptions, FewRoundsClaimNothing) {
  const std::string json = folder_ / "v.json";
  const std::string markdown = folder_ / "r.md";
  Command command;
  command.arguments = {PERFGATE_EXE, "gate", "--baseline", QUICK_CASES_EXE, "--candidate", other_,
                       "--rounds",   "5",    "--slice",    "1ms",           "--pairs",     "1",
                       "--json",     json,   "--markdown", markdown};
  const Finished finished = run_command(command);
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kInconclusive)) << finished.err;
  for (const ColumnVerdict& column : read_verdict(json).columns) {
    EXPECT_EQ(column.verdict, Verdict::kInconclusive);
    EXPECT_EQ(column.claim, Claim::kInsufficient);
  }
  command.arguments = {PERFGATE_EXE, "report", json};
  const std::string again = run_command(command).out;
  for (const std::string& text : {finished.out, testing_command::read_text(markdown), again}) {
    EXPECT_THAT(text, Not(HasSubstr("CI95")));
    EXPECT_THAT(text, HasSubstr("min..max"));
    EXPECT_THAT(text, HasSubstr("(93.8 %)"));
    EXPECT_THAT(text, HasSubstr("insufficient"));
  }
}

TEST_F(GateOptions, PrintsNothingButJsonForADash) {
  const Finished finished = gate({"--json", "-"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  const SuiteVerdict verdict = verdict_from_json(finished.out, "standard output");
  EXPECT_EQ(verdict.exit, Exit::kPass);
}

TEST_F(GateOptions, WritesPlainLinesWhereThereIsNoTerminal) {
  const Finished finished = gate({});
  for (const std::string& text : {finished.out, finished.err}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, Not(HasSubstr("\r")));
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = text.find('\n', begin);
      ASSERT_NE(end, std::string::npos) << "a line without an end";
      begin = end + 1;
    }
  }
  EXPECT_THAT(finished.err, HasSubstr("listing"));
  EXPECT_THAT(finished.err, HasSubstr("round"));
}

TEST_F(GateOptions, ColoursOnlyWhenAsked) {
  EXPECT_THAT(gate({"--color"}).out, HasSubstr("\x1b["));
  EXPECT_THAT(gate({"--color", "--no-color"}).out, Not(HasSubstr("\x1b[")));
}

TEST_F(GateOptions, RefusesOutputsBeforeItMeasures) {
  for (const char* option : {"--json", "--session", "--markdown"}) {
    for (const std::string& path : {folder_ / "missing/file", folder_.path()}) {
      const Finished finished = gate({option, path});
      EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kData)) << option << " " << path;
      EXPECT_THAT(finished.err, HasSubstr(path));
      EXPECT_THAT(finished.err, Not(HasSubstr("listing")));
    }
  }
  const std::string one = folder_ / "one.json";
  const Finished twice = gate({"--json", one, "--session", one});
  EXPECT_EQ(twice.exit_code, static_cast<int>(Exit::kUsage)) << twice.err;
  EXPECT_FALSE(std::filesystem::exists(one));
}

TEST_F(GateOptions, LeavesNoProbesOrTemporaryFilesBesideItsOutputs) {
  gate({"--json", folder_ / "v.json"});
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "v.json" || name == "other") << name;
  }
}

TEST_F(GateOptions, RefusesCoresThatAreNotThere) {
  const Finished finished = gate({"--cpu", "9999"});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kUsage));
  EXPECT_THAT(finished.err, HasSubstr("9999"));
  EXPECT_EQ(gate({"--cpu", "-1"}).exit_code, static_cast<int>(Exit::kUsage));
}

TEST_F(GateOptions, RecordsEveryOverride) {
  const std::string policy = folder_ / "p.json";
  testing_command::write_text(
      policy, R"({"format":"perfgate-policy","version":1,"tolerance":"5%","rounds":40})");
  const std::string json = folder_ / "v.json";
  EXPECT_EQ(gate({"--policy", policy, "--tolerance", "3%", "--json", json}).exit_code, 0);
  const Policy used = read_verdict(json).policy;
  EXPECT_DOUBLE_EQ(used.tolerance, 0.03);
  EXPECT_EQ(used.rounds, 6);
  EXPECT_THAT(used.overrides, Contains(HasSubstr("tolerance 0.05 -> 0.03")));
  EXPECT_THAT(used.overrides, Contains(HasSubstr("rounds 40 -> 6")));
  EXPECT_EQ(gate({"--policy", policy, "--oversubscribe", "--claim-improvements", "--json", json})
                .exit_code,
            0);
  const Policy flags = read_verdict(json).policy;
  EXPECT_DOUBLE_EQ(flags.tolerance, 0.05);
  EXPECT_THAT(flags.overrides, Contains(HasSubstr("allow_oversubscription")));
  EXPECT_THAT(flags.overrides, Contains(HasSubstr("claim_improvements")));
}

TEST_F(GateOptions, BudgetReplacesTheRoundsOfAPolicy) {
  const std::string policy = folder_ / "p.json";
  testing_command::write_text(policy, R"({"format":"perfgate-policy","version":1,"rounds":39})");
  const std::string json = folder_ / "v.json";
  Command command;
  command.arguments = {
      PERFGATE_EXE, "gate",     "--baseline", QUICK_CASES_EXE, "--candidate", other_,   "--policy",
      policy,       "--budget", "5s",         "--slice",       "1ms",         "--json", json};
  EXPECT_EQ(run_command(command).exit_code, 0);
  const SuiteVerdict verdict = read_verdict(json);
  EXPECT_EQ(verdict.policy.rounds, 0);
  EXPECT_THAT(verdict.policy.overrides, Contains(HasSubstr("rounds 39 -> 0")));
}

TEST_F(GateOptions, FilterSelectsCasesOrLeavesNone) {
  const std::string json = folder_ / "v.json";
  EXPECT_EQ(gate({"--filter", "two$|two/", "--json", json}).exit_code, 0);
  EXPECT_EQ(read_verdict(json).columns.size(), 1U);
  EXPECT_EQ(gate({"--filter", "no such case"}).exit_code, static_cast<int>(Exit::kNotComparable));
}

TEST_F(GateOptions, SaysBeforehandThatTooFewRoundsCannotFail) {
  const Finished few = gate({"--rounds", "3"});
  EXPECT_EQ(few.exit_code, static_cast<int>(Exit::kInconclusive)) << few.err;
  EXPECT_THAT(few.err, HasSubstr("Raise --rounds"));
  EXPECT_THAT(gate({"--rounds", "10"}).err, Not(HasSubstr("Raise")));
}

}  // namespace
}  // namespace perfgate
