// SPDX-License-Identifier: Apache-2.0
// `perfgate parity` on three files of results that were measured apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;
using testing_command::unwrapped;

class ParityFiles : public testing::Test {
 protected:
  using Edit = std::function<void(Session&)>;

  // An imported session of 8 rounds around `seconds`.
  std::string arm(const std::string& name, double seconds, const Edit& edit = {}) const {
    Session session;
    session.id = std::string(32, 'b');
    session.complete = true;
    session.grade = "imported";
    session.schedule.seed = std::string(16, '0');
    session.arms.resize(1);
    session.arms[0].label = "candidate";
    session.arms[0].path = name;
    session.arms[0].digest = "sha256:" + name;
    session.origins.resize(1);
    session.origins[0].format = "hyperfine";
    session.origins[0].file = name;
    session.metrics = {Metric{}};
    session.cases.resize(1);
    session.cases[0].name = "serve";
    session.cases[0].workload = {{"model", "m"}};
    constexpr int kRounds = 8;
    for (int r = 0; r < kRounds; ++r) {
      RoundInfo round;
      round.index = r;
      const double value = seconds * (1 + 0.001 * ((7 * r + static_cast<int>(name.size())) % 5));
      round.cases.resize(1);
      round.cases[0].values = {{{value}}};
      session.rounds.push_back(round);
    }
    if (edit) edit(session);
    write_session(folder_ / name, session);
    return folder_ / name;
  }

  Finished run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {PERFGATE_EXE, "parity"});
    Command command;
    command.arguments = std::move(arguments);
    return run_command(command);
  }

  ParityVerdict judge(const std::string& baseline, const std::string& human,
                      const std::string& agent, std::vector<std::string> options = {}) {
    options.insert(options.end(), {"--baseline", baseline, "--human", human, "--agent", agent,
                                   "--json", folder_ / "verdict.json"});
    const Finished finished = run(std::move(options));
    printed_ = unwrapped(finished.out + finished.err);
    ParityVerdict verdict = read_parity(folder_ / "verdict.json");
    EXPECT_EQ(finished.exit_code, static_cast<int>(verdict.exit)) << printed_;
    EXPECT_NE(verdict.grade, "paired");
    for (const ParityColumn& column : verdict.columns) {
      EXPECT_NE(column.claim, Claim::kStrong);
      EXPECT_NE(column.claim, Claim::kParity);
      EXPECT_NE(column.outcome, ParityStatus::kLoss);
    }
    return verdict;
  }

  void expect(const ParityVerdict& verdict, ParityStatus outcome, Exit exit) const {
    ASSERT_EQ(verdict.columns.size(), 1U) << printed_;
    EXPECT_EQ(verdict.columns[0].outcome, outcome) << printed_;
    EXPECT_TRUE(verdict.columns[0].primary);
    EXPECT_EQ(verdict.exit, exit) << printed_;
  }

  TemporaryFolder folder_;
  std::string printed_;
};

TEST_F(ParityFiles, OutcomesAreThoseOfTheArms) {
  const std::string baseline = arm("baseline", 2.0);
  const std::string human = arm("human", 1.0);
  expect(judge(baseline, human, arm("same", 1.0)), ParityStatus::kMatch, Exit::kPass);
  EXPECT_THAT(printed_, HasSubstr("evidence: imported"));
  expect(judge(baseline, human, arm("faster", 0.8)), ParityStatus::kWin, Exit::kPass);
  expect(judge(baseline, human, arm("slower", 1.3)), ParityStatus::kSuspected, Exit::kSuspected);
  // A match with a human who changed nothing proves nothing.
  const ParityVerdict vacuous = judge(baseline, arm("idle", 2.0), arm("agent", 2.0));
  expect(vacuous, ParityStatus::kMatch, Exit::kInconclusive);
  EXPECT_EQ(vacuous.columns[0].vacuous, true);
  // Swapping the two arms turns a win into a suspicion.
  expect(judge(baseline, arm("faster", 0.8), human), ParityStatus::kSuspected, Exit::kSuspected);
}

TEST_F(ParityFiles, TooFewRoundsResolveNothing) {
  const auto few = [](Session& s) { s.rounds.resize(2); };
  expect(judge(arm("baseline", 2.0), arm("human", 1.0, few), arm("agent", 0.5, few)),
         ParityStatus::kUnresolved, Exit::kInconclusive);
  const auto averaged = [](Session& s) {
    s.grade = "aggregate";
    s.cases[0].aggregates = {"real_time"};
  };
  const ParityVerdict verdict =
      judge(arm("baseline", 2.0), arm("human", 1.0), arm("agent", 0.5, averaged));
  expect(verdict, ParityStatus::kUnresolved, Exit::kInconclusive);
  EXPECT_EQ(verdict.grade, "aggregate");
  EXPECT_THAT(verdict.columns[0].reason, HasSubstr("aggregate_only"));
}

TEST_F(ParityFiles, ReasonsNameThePairThatDoesNotCompare) {
  const auto model = [](Session& s) { s.cases[0].workload = {{"model", "other"}}; };
  const std::string baseline = arm("baseline", 2.0);
  const std::string human = arm("human", 1.0);
  const ParityVerdict agent = judge(baseline, human, arm("agent", 0.5, model));
  expect(agent, ParityStatus::kNotComparable, Exit::kNotComparable);
  EXPECT_THAT(agent.columns[0].reason, HasSubstr("model_mismatch: model: m against other"));
  // A baseline of another model leaves agent against human as it is.
  const std::string other = arm("otherbase", 9.0, model);
  const ParityVerdict match = judge(other, human, arm("same", 1.0));
  expect(match, ParityStatus::kMatch, Exit::kNotComparable);
  EXPECT_EQ(match.columns[0].human_baseline.status, ParityStatus::kNotComparable);
  expect(judge(other, human, arm("faster", 0.5)), ParityStatus::kWin, Exit::kPass);
  expect(judge(other, human, arm("same", 1.0), {"--allow", "model_mismatch"}), ParityStatus::kMatch,
         Exit::kPass);
}

TEST_F(ParityFiles, FailuresAndMissingFields) {
  const std::string baseline = arm("baseline", 2.0);
  const std::string human = arm("human", 1.0);
  const auto failed = [](Session& s) {
    s.faults.resize(1);
    s.faults[0].kind = FaultKind::kError;
  };
  expect(judge(baseline, human, arm("agent", 0.5, failed)), ParityStatus::kFailed, Exit::kFailed);
  expect(judge(baseline, arm("broken", 1.0, failed), arm("fine", 0.5)),
         ParityStatus::kNotComparable, Exit::kNotComparable);
  const auto pending = [](Session& s) { s.unstated = {{"environment.gpu", "pending"}}; };
  const ParityVerdict verdict = judge(baseline, human, arm("open", 0.5, pending));
  expect(verdict, ParityStatus::kUnresolved, Exit::kInconclusive);
  EXPECT_THAT(verdict.columns[0].reason,
              HasSubstr("incomplete_record: agent: environment.gpu is pending"));
}

TEST_F(ParityFiles, SeveralAgentsAreComparedOneByOne) {
  const std::string human = arm("human", 1.0);
  const Finished finished = run({"--baseline", arm("baseline", 2.0), "--human", human, "--agent",
                                 arm("agent", 0.5), "--agent", "slow=" + arm("slow", 1.5),
                                 "--agent", human, "--json", folder_ / "verdict.json"});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kInvalid)) << finished.out << finished.err;
  const ParityAgents agents = ReadParityFile(folder_ / "verdict.json");
  ASSERT_EQ(agents.verdicts.size(), 3U);
  expect(agents.verdicts[0], ParityStatus::kWin, Exit::kPass);
  expect(agents.verdicts[1], ParityStatus::kSuspected, Exit::kSuspected);
  expect(agents.verdicts[2], ParityStatus::kInvalid, Exit::kInvalid);
  EXPECT_EQ(agents.together.agents[1].label, "slow");
  EXPECT_TRUE(agents.together.claims.empty()) << "nobody alternated the arms";
}

TEST_F(ParityFiles, OneFileIsNotTwoArms) {
  const std::string baseline = arm("baseline", 2.0);
  const std::string human = arm("human", 1.0);
  const ParityVerdict same = judge(baseline, human, human);
  expect(same, ParityStatus::kInvalid, Exit::kInvalid);
  EXPECT_THAT(same.columns[0].reason, HasSubstr("human and agent are one"));
}

TEST_F(ParityFiles, SessionsOfPerfgateAreStored) {
  const auto own = [](Session& s) {
    s.grade = "paired";
    s.origins.clear();
  };
  EXPECT_EQ(judge(arm("baseline", 2.0, own), arm("human", 1.0, own), arm("agent", 1.0, own)).grade,
            "stored");
  EXPECT_EQ(judge(arm("baseline", 2.0, own), arm("human", 1.0), arm("agent", 1.0, own)).grade,
            "imported");
}

TEST_F(ParityFiles, Usage) {
  const std::string human = arm("human", 1.0);
  const std::string agent = arm("agent", 1.0);
  const auto refused = [&](std::vector<std::string> arguments, const std::string& words) {
    const Finished finished = run(std::move(arguments));
    EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kUsage)) << finished.out << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(words));
  };
  refused({"--baseline", PERFGATE_EXE, "--human", human, "--agent", agent},
          "results can only be compared with results");
  refused({"--human", human, "--agent", agent}, "--baseline is missing");
  refused({"--baseline", arm("b", 1.0), "--human", human, "--agent", agent, "--session", "s"},
          "--session");
  refused({"--baseline", arm("b", 1.0), "--human", human, "--agent", agent, "--metrics", "m.json"},
          "--metrics");
  // A session of three arms is no single arm.
  const auto three = [](Session& s) {
    s.arms.resize(3, s.arms[0]);
    s.rounds.clear();
  };
  const Finished finished =
      run({"--baseline", arm("b", 1.0), "--human", human, "--agent", arm("three", 1.0, three)});
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kData));
  EXPECT_THAT(finished.err, HasSubstr("--from"));
}

}  // namespace
}  // namespace perfgate
