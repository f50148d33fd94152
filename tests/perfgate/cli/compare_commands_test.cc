// SPDX-License-Identifier: Apache-2.0
// perfgate compare --command: command lines whose work is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_command::Command;
using testing_command::Finished;
using testing_command::run_command;
using testing_command::TemporaryFolder;

class CompareCommands : public testing::Test {
 protected:
  // More of the same: a shell that counts.
  static std::string Counting(int steps) {
    return "i=0; while [ $i -lt " + std::to_string(steps) + " ]; do i=$((i+1)); done";
  }

  Finished CompareLines(const std::vector<std::string>& lines, std::vector<std::string> options) {
    Command command;
    command.arguments = {PERFGATE_EXE, "compare", "--command",
                         "--rounds",   "12",      "--pairs",
                         "1",          "--json",  folder_ / "comparison.json"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    command.arguments.emplace_back("--");
    command.arguments.insert(command.arguments.end(), lines.begin(), lines.end());
    command.deadline_s = 300;
    return run_command(command);
  }

  AlternativesVerdict Written() const { return read_alternatives(folder_ / "comparison.json"); }

  TemporaryFolder folder_;
};

TEST_F(CompareCommands, MoreWorkIsRankedBehindLess) {
  const Finished done = CompareLines({Counting(4000), Counting(40000), Counting(400)}, {});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  const AlternativesVerdict verdict = Written();
  ASSERT_EQ(verdict.rows.size(), 1U);
  EXPECT_EQ(verdict.rows[0].standings[1].rank_lo, 3) << done.out;
  EXPECT_GT(verdict.rows[0].standings[2].over_reference.estimate, 1) << done.out;
  EXPECT_THAT(verdict.arms[1].label, HasSubstr("...")) << "a long line is shortened";
}

TEST_F(CompareCommands, ALineThatFailsIsNamedAndTheRestCompared) {
  const Finished done = CompareLines({"true", "false", "true --again"}, {"--name", "status"});
  EXPECT_EQ(done.exit_code, static_cast<int>(Exit::kFailed)) << done.out << done.err;
  const AlternativesVerdict verdict = Written();
  EXPECT_EQ(verdict.rows.at(0).standings[1].status, AlternativeStatus::kFailed);
  EXPECT_THAT(verdict.rows[0].standings[1].reason, HasSubstr("exited with code 1"));
  EXPECT_EQ(verdict.rows[0].standings[2].status, AlternativeStatus::kCompared) << done.out;
}

// Equal lines are one command; the time of neither says anything of the other until it is asked.
TEST_F(CompareCommands, EqualLinesAreIdenticalUntilMeasuredOnPurpose) {
  const Finished refused = CompareLines({"true", "true"}, {});
  EXPECT_EQ(refused.exit_code, static_cast<int>(Exit::kInvalid)) << refused.out << refused.err;
  const Finished measured = CompareLines({"true", "true"}, {"--aa"});
  EXPECT_EQ(measured.exit_code, 0) << measured.out << measured.err;
  EXPECT_EQ(Written().arms.at(1).label, "true#2");
}

TEST_F(CompareCommands, WhatIsNoComparisonIsRefused) {
  EXPECT_EQ(CompareLines({"true"}, {}).exit_code, static_cast<int>(Exit::kUsage));
  EXPECT_EQ(CompareLines({"true", " "}, {}).exit_code, static_cast<int>(Exit::kUsage));
  EXPECT_EQ(CompareLines({"true", "echo"}, {"--by", "impl"}).exit_code,
            static_cast<int>(Exit::kUsage));
  EXPECT_EQ(CompareLines({"true", "no_such_program_here"}, {}).exit_code,
            static_cast<int>(Exit::kData));
}

TEST_F(CompareCommands, LabelsAreGivenInTheirOrder) {
  const Finished done =
      CompareLines({"true", "echo"}, {"--label", "nothing,something", "--name", "words"});
  EXPECT_EQ(done.exit_code, 0) << done.out << done.err;
  EXPECT_EQ(Written().arms.at(1).label, "something");
  EXPECT_EQ(Written().rows.at(0).case_name, "words");
}

}  // namespace
}  // namespace perfgate
