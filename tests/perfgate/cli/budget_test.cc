// SPDX-License-Identifier: Apache-2.0
// How a gate makes its rounds fit the budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class GateBudget : public testing::Test {
 protected:
  Finished gate(const std::vector<std::string>& options) const {
    Command command;
    command.arguments = {
        PERFGATE_EXE, "gate",        "--aa",        "--candidate", BUDGET_CASES_EXE,
        "--session",  session_file_, "--tolerance", "2%",          "--verbose"};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    return run_command(command);
  }

  Session session() const { return read_session(session_file_); }

  TemporaryFolder folder_;
  std::string session_file_ = folder_ / "s.json";
};

// 2 cases of 30 ms and a slice lengthened to some 120: 20 slices take 3 s, and 11 such rounds 33 s.
TEST_F(GateBudget, SlicesAreCutUntilEnoughRoundsFit) {
  const Finished finished = gate({"--budget", "12s"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("Plan "));
  EXPECT_THAT(finished.out, HasSubstr("uncut a round"));
  const Session measured = session();
  EXPECT_EQ(measured.schedule.budget_s, 12);
  EXPECT_GE(measured.rounds.size(), 6U);
  for (const RoundInfo& round : measured.rounds) {
    for (const CaseRound& slices : round.cases) {
      const CaseInfo& info = measured.cases[slices.case_index];
      EXPECT_LT(PairsOf(info, measured.policy), 4);
      EXPECT_EQ(slices.values[0][0].size(),
                static_cast<std::size_t>(PairsOf(info, measured.policy)));
    }
  }
}

TEST_F(GateBudget, TooFewRoundsAreRefusedBeforeTheyAreMeasured) {
  const Finished finished = gate({"--budget", "1s"});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kInconclusive)) << finished.err;
  EXPECT_THAT(finished.out, IsEmpty());
  EXPECT_THAT(finished.err, HasSubstr("a verdict needs 6, a regression 10: --budget "));
  EXPECT_FALSE(std::filesystem::exists(session_file_));
}

TEST_F(GateBudget, PairsThatAreAskedForAreKept) {
  const Finished finished = gate({"--budget", "1s", "--pairs", "4"});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kInconclusive)) << finished.err;
  EXPECT_EQ(gate({"--rounds", "6", "--pairs", "1"}).exit_code, 0);
  for (const CaseInfo& info : session().cases) EXPECT_EQ(info.pairs, 0) << "as the policy says";
  EXPECT_THAT(session().schedule.plan, IsEmpty());
}

TEST_F(GateBudget, AnAutomaticOneIsSaid) {
  const Finished finished = gate({"--budget", "auto"});
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("automatic budget"));
  EXPECT_THAT(finished.out, HasSubstr("(auto)"));
  EXPECT_GE(session().schedule.budget_s, 10);
  EXPECT_LE(session().schedule.budget_s, 60);
}

}  // namespace
}  // namespace perfgate
