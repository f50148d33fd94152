// SPDX-License-Identifier: Apache-2.0
// perfgate parity on several agents' executables whose speed is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_command::Command;
using testing_command::Finished;
using testing_command::read_text;
using testing_command::TemporaryFolder;
using testing_command::write_text;

class ParityOfAgents : public testing::Test {
 protected:
  // "<time> <rate> <noise> <what>": see parity_cases.cc.
  std::string Arm(const std::string& name, const std::string& speed) const {
    std::string path = folder_ / name;
    write_text(path, read_text(PARITY_CASES_EXE) + "PARITY=" + speed + ";");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  static Finished Perfgate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), PERFGATE_EXE);
    Command command;
    command.arguments = std::move(arguments);
    command.deadline_s = 240;
    return run_command(command);
  }

  // agents: "PATH" or "NAME=PATH".
  std::vector<std::string> Arguments(const std::vector<std::string>& agents) const {
    std::vector<std::string> arguments = {"parity", "--baseline", Arm("b", "1.5 1 0.003 plain"),
                                          "--human", Arm("h", "1 2 0.003 plain")};
    for (const std::string& agent : agents) {
      arguments.insert(arguments.end(), {"--agent", agent});
    }
    arguments.insert(arguments.end(), {"--rounds", "10", "--slice", "1ms", "--pairs", "2"});
    return arguments;
  }

  // Exit code and file agree; the session is kept in session.json.
  ParityAgents Judge(const std::vector<std::string>& agents,
                     const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = Arguments(agents);
    arguments.insert(arguments.end(),
                     {"--json", folder_ / "verdict.json", "--session", folder_ / "session.json"});
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished finished = Perfgate(arguments);
    printed_ = finished.out + finished.err;
    const ParityAgents judged = ReadParityFile(folder_ / "verdict.json");
    EXPECT_EQ(finished.exit_code, static_cast<int>(judged.together.exit)) << printed_;
    return judged;
  }

  static std::vector<Exit> Exits(const ParityAgents& agents) {
    std::vector<Exit> exits;
    for (const ParityVerdict& verdict : agents.verdicts) exits.push_back(verdict.exit);
    return exits;
  }

  TemporaryFolder folder_;
  std::string printed_;
};

TEST_F(ParityOfAgents, AllAreJudgedInOneSession) {
  const ParityAgents judged =
      Judge({Arm("a", "1.01 2 0.003 plain"), "fast=" + Arm("c", "0.8 2.5 0.003 plain"),
             Arm("d", "1.2 1.6 0.003 plain")});
  EXPECT_THAT(Exits(judged), ElementsAre(Exit::kPass, Exit::kPass, Exit::kRegression)) << printed_;
  EXPECT_EQ(judged.together.exit, Exit::kRegression);
  std::vector<std::string> labels;
  for (const AgentSummary& agent : judged.together.agents) labels.push_back(agent.label);
  EXPECT_THAT(labels, ElementsAre("agent", "fast", "agent3"));
  EXPECT_EQ(judged.verdicts[0].session_id, judged.verdicts[2].session_id);
  EXPECT_THAT(printed_,
              AllOf(HasSubstr("agent: 2 cases: 0 win, 2 match, 0 loss, 0 failed, 0 unresolved"),
                    HasSubstr("fast: 2 cases: 2 win"),
                    HasSubstr("agent3: 2 cases: 0 win, 0 match, "
                              "2 loss")));
  const Session session = read_session(folder_ / "session.json");
  EXPECT_EQ(session.arms.size(), 5U);
  for (const RoundInfo& round : session.rounds) EXPECT_EQ(round.cases.size(), 2U);
}

TEST_F(ParityOfAgents, OneThatFailsLeavesTheOthers) {
  const ParityAgents judged = Judge({Arm("a", "1 2 0 crash"), Arm("c", "0.8 2.5 0.003 plain"),
                                     Arm("d", "1 2 0 late"), Arm("e", "1.01 2 0.003 lacks")});
  EXPECT_THAT(Exits(judged),
              ElementsAre(Exit::kFailed, Exit::kPass, Exit::kFailed, Exit::kNotComparable))
      << printed_;
  EXPECT_THAT(printed_, AllOf(HasSubstr("crashed: agent:"), HasSubstr("crashed: agent3:")));
  EXPECT_EQ(judged.verdicts[1].columns[0].agent_human.rounds, 6);
}

TEST_F(ParityOfAgents, OneThatIsNoBenchmarkLeavesTheOthers) {
  write_text(folder_ / "script", "#!/bin/sh\nexit 3\n");
  std::filesystem::permissions(folder_ / "script", std::filesystem::perms::owner_all);
  const ParityAgents judged = Judge({folder_ / "script", Arm("c", "0.8 2.5 0.003 plain")});
  EXPECT_THAT(Exits(judged), ElementsAre(Exit::kFailed, Exit::kPass)) << printed_;
}

TEST_F(ParityOfAgents, WithoutTheHumanNothingIsMeasured) {
  std::vector<std::string> arguments =
      Arguments({Arm("a", "1 2 0 plain"), Arm("c", "0.8 2.5 0 plain")});
  Arm("h", "1 2 0 crash");
  arguments.insert(arguments.end(), {"--json", folder_ / "verdict.json"});
  const Finished finished = Perfgate(arguments);
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kNotComparable)) << finished.out;
  for (const ParityVerdict& verdict : ReadParityFile(folder_ / "verdict.json").verdicts) {
    EXPECT_EQ(verdict.rounds, 0);
  }
}

TEST_F(ParityOfAgents, CopiesAreNotMeasured) {
  const std::string human = Arm("h", "1 2 0.003 plain");
  std::filesystem::copy_file(human, folder_ / "copy");
  const ParityAgents judged = Judge({folder_ / "copy", Arm("c", "0.8 2.5 0.003 plain")});
  EXPECT_THAT(Exits(judged), ElementsAre(Exit::kInvalid, Exit::kPass)) << printed_;
  const Session session = read_session(folder_ / "session.json");
  for (const double value : session.rounds.at(0).cases.at(0).values.at(0).at(2)) {
    EXPECT_TRUE(std::isnan(value));
  }
  const ParityAgents none = Judge({folder_ / "copy", human});
  EXPECT_THAT(Exits(none), ElementsAre(Exit::kInvalid, Exit::kInvalid));
  EXPECT_EQ(none.verdicts[0].rounds, 0);
}

TEST_F(ParityOfAgents, TwoAgentsOfOneExecutableAreSaidToBeOne) {
  const std::string agent = Arm("a", "0.8 2.5 0.003 plain");
  const ParityAgents judged = Judge({agent, agent});
  EXPECT_THAT(Exits(judged), ElementsAre(Exit::kPass, Exit::kPass)) << printed_;
  EXPECT_THAT(printed_, HasSubstr("agent and agent2 are one executable"));
}

TEST_F(ParityOfAgents, ASessionIsJudgedAgainAlike) {
  Judge({Arm("a", "1.01 2 0.003 plain"), Arm("c", "1.2 1.6 0.003 plain")});
  const Finished again = Perfgate({"parity", "--from", folder_ / "session.json", "--json", "-"});
  EXPECT_EQ(again.exit_code, static_cast<int>(Exit::kRegression));
  EXPECT_EQ(again.out, read_text(folder_ / "verdict.json"));
  for (const auto& file : {"verdict.json", "session.json"}) {
    const Finished report = Perfgate({"report", "--decide", folder_ / file});
    EXPECT_THAT(report.out, HasSubstr("agent2: 2 cases: 0 win, 0 match, 2 loss")) << report.err;
  }
  const Finished markdown = Perfgate({"report", folder_ / "verdict.json", "--format", "md"});
  EXPECT_THAT(markdown.out, AllOf(HasSubstr("### agent2"), HasSubstr("### All agents")));
}

TEST_F(ParityOfAgents, OneAgentIsWrittenAsEver) {
  Judge({"mine=" + Arm("a", "1.01 2 0.003 plain")});
  const ParityVerdict verdict = read_parity(folder_ / "verdict.json");
  EXPECT_EQ(verdict.arms[2].label, "mine");
  EXPECT_THAT(read_text(folder_ / "verdict.json"), HasSubstr("\"version\": 1"));
  EXPECT_EQ(Perfgate({"parity", "--from", folder_ / "session.json"}).exit_code, 0);
}

// A bias of the role falls on all arms by the coins, and a seed replays them.
TEST_F(ParityOfAgents, OrdersAreDrawnOfAllArmsAndReplay) {
  const std::vector<std::string> options = {"--filter", "time", "--rounds", "40", "--seed", "5eed"};
  const auto coins = [&] {
    Judge({Arm("a", "1.2 1 0 plain"), Arm("c", "1.05 1 0.02 plain")}, options);
    std::vector<std::uint64_t> found;
    for (const RoundInfo& round : read_session(folder_ / "session.json").rounds) {
      found.push_back(round.coin);
    }
    return found;
  };
  const std::vector<std::uint64_t> first = coins();
  EXPECT_GT(std::set<std::uint64_t>(first.begin(), first.end()).size(), first.size() / 3);
  for (const std::uint64_t coin : first) EXPECT_LT(coin, 24U);
  const std::vector<std::uint64_t> again = coins();
  const std::size_t both = std::min(first.size(), again.size());
  ASSERT_GE(both, 6U);
  EXPECT_TRUE(std::equal(first.begin(), first.begin() + static_cast<long>(both), again.begin()));
}

// The times of these arms are not spent, so the second clock has nothing to compare them with.
TEST_F(ParityOfAgents, RunsIsolated) {
  const ParityAgents judged =
      Judge({Arm("a", "1.01 2 0.003 plain"), Arm("c", "0.8 2.5 0.003 plain")},
            {"--isolate", "--second-clock", "report"});
  EXPECT_THAT(Exits(judged), ElementsAre(Exit::kPass, Exit::kPass)) << printed_;
}

TEST_F(ParityOfAgents, RefusesBadInput) {
  const std::string one = Arm("a", "1 2 0 plain");
  const auto refused = [&](const std::vector<std::string>& agents, Exit exit,
                           const std::string& part) {
    const Finished finished = Perfgate(Arguments(agents));
    EXPECT_EQ(finished.exit_code, static_cast<int>(exit)) << finished.out;
    EXPECT_THAT(finished.err, HasSubstr(part));
    EXPECT_THAT(finished.err, testing::Not(HasSubstr("round")));
  };
  refused({}, Exit::kUsage, "--agent is missing");
  refused({"x=" + one, "x=" + one}, Exit::kUsage, "two arms are called 'x'");
  refused({"agent2=" + one, one}, Exit::kUsage, "two arms are called 'agent2'");
  refused({"human=" + one, one}, Exit::kUsage, "two arms are called 'human'");
  refused({one, "=" + one}, Exit::kUsage, "write PATH or NAME=PATH");
  refused({one, folder_ / "absent"}, Exit::kData, "absent");
  refused(std::vector<std::string>(9, one), Exit::kUsage, "at most 8");
}

}  // namespace
}  // namespace perfgate
