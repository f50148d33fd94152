// SPDX-License-Identifier: Apache-2.0
// perfgate parity on executables whose speed is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

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

class Parity : public testing::Test {
 protected:
  // "<time> <rate> <noise> <what>": see parity_cases.cc.
  std::string arm(const std::string& name, const std::string& speed) const {
    std::string path = folder_ / name;
    write_text(path, read_text(PARITY_CASES_EXE) + "PARITY=" + speed + ";");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  Finished parity(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {PERFGATE_EXE, "parity"});
    Command command;
    command.arguments = std::move(arguments);
    command.deadline_s = 240;
    return run_command(command);
  }

  // Exit code and verdict file agree; the session is kept in session.json.
  ParityVerdict judge(const std::string& baseline, const std::string& human,
                      const std::string& agent, std::vector<std::string> options = {}) {
    std::vector<std::string> arguments = {"--baseline", arm("baseline", baseline),
                                          "--human",    arm("human", human),
                                          "--agent",    arm("agent", agent),
                                          "--json",     folder_ / "verdict.json",
                                          "--session",  folder_ / "session.json",
                                          "--rounds",   "10",
                                          "--slice",    "1ms",
                                          "--pairs",    "2"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished finished = parity(arguments);
    printed_ = finished.out + finished.err;
    EXPECT_FALSE(finished.timed_out) << printed_;
    ParityVerdict verdict = read_parity(folder_ / "verdict.json");
    EXPECT_EQ(finished.exit_code, static_cast<int>(verdict.exit)) << printed_;
    return verdict;
  }

  static const ParityColumn& column(const ParityVerdict& verdict, const std::string& name,
                                    const std::string& metric = "real_time") {
    for (const ParityColumn& found : verdict.columns) {
      if (found.case_name.starts_with(name) && found.metric.name == metric) return found;
    }
    throw std::logic_error("no " + name + " " + metric);
  }

  TemporaryFolder folder_;
  std::string printed_;
};

TEST_F(Parity, AMatchWithAHumanWhoHasAnEffect) {
  const ParityVerdict verdict = judge("1.5 1 0.003 plain", "1 2 0.003 plain", "1.01 2 0.003 plain");
  EXPECT_EQ(verdict.exit, Exit::kPass) << printed_;
  const ParityColumn& time = column(verdict, "parity/time");
  EXPECT_EQ(time.outcome, ParityStatus::kMatch);
  EXPECT_EQ(time.vacuous, false);
  EXPECT_EQ(time.claim, Claim::kParity);
  EXPECT_EQ(time.point_rule, PointRule::kMatch);
  EXPECT_EQ(time.primary_why, "time_of_the_case");
  EXPECT_EQ(time.human_baseline.status, ParityStatus::kWin);
  EXPECT_NEAR(time.human_baseline.effect.estimate, 1 / 1.5 - 1, 0.02);
  EXPECT_EQ(column(verdict, "parity/rate", "throughput").primary_why, "throughput_first");
}

TEST_F(Parity, AWinAndALoss) {
  EXPECT_EQ(judge("1.5 1 0.003 plain", "1 2 0.003 plain", "0.8 2.5 0.003 plain").exit, Exit::kPass)
      << printed_;
  EXPECT_THAT(printed_, HasSubstr("win 2 = 2"));
  const ParityVerdict lost = judge("1.5 1 0.003 plain", "1 2 0.003 plain", "1.2 2.5 0.003 plain");
  EXPECT_EQ(lost.exit, Exit::kRegression) << printed_;
  const ParityColumn& time = column(lost, "parity/time");
  EXPECT_EQ(time.outcome, ParityStatus::kLoss);
  EXPECT_EQ(time.claim, Claim::kStrong);
  EXPECT_NEAR(time.point_delta, -0.2, 0.02);
  // By its throughput the other case is won, by its time it is lost.
  EXPECT_EQ(column(lost, "parity/rate", "throughput").outcome, ParityStatus::kWin);
  EXPECT_EQ(column(lost, "parity/rate").outcome, ParityStatus::kLoss);
  EXPECT_FALSE(column(lost, "parity/rate").primary);
  ASSERT_EQ(lost.conflicts.size(), 1U);
  EXPECT_THAT(lost.conflicts[0], HasSubstr("throughput (primary) says win, real_time says loss"));
}

TEST_F(Parity, TheUserMayNameTheMetric) {
  const ParityVerdict verdict = judge("1.5 1 0.003 plain", "1 2 0.003 plain", "1.2 2.5 0.003 plain",
                                      {"--primary", "real_time"});
  EXPECT_EQ(column(verdict, "parity/rate").primary_why, "named_by_the_user");
  EXPECT_EQ(column(verdict, "parity/rate").outcome, ParityStatus::kLoss);
}

TEST_F(Parity, AMatchWithAHumanWithoutEffectIsVacuous) {
  const ParityVerdict verdict = judge("1 2 0.003 plain", "1.01 2 0.003 plain", "1 2 0.002 plain");
  EXPECT_EQ(verdict.exit, Exit::kInconclusive) << printed_;
  EXPECT_EQ(column(verdict, "parity/time").vacuous, true);
  EXPECT_THAT(printed_, HasSubstr("vacuous: the human is within"));
}

// A bias of the role, however large, falls on the arms by the coins: nobody wins by it.
TEST_F(Parity, ABiasOfTheRoleIsNobodysWin) {
  const ParityVerdict verdict = judge("1 1 0 roles", "1.001 1 0 roles", "1.002 1 0 roles",
                                      {"--filter", "time", "--rounds", "40", "--seed", "5eed"});
  EXPECT_EQ(verdict.exit, Exit::kInconclusive) << printed_;
  const ParityColumn& time = column(verdict, "parity/time");
  EXPECT_EQ(time.outcome, ParityStatus::kUnresolved);
  EXPECT_EQ(time.agent_human.rounds, 40);
  EXPECT_EQ(time.claim, Claim::kNoiseDominated);
}

TEST_F(Parity, FewRoundsDecideNothing) {
  const ParityVerdict verdict =
      judge("1.5 1 0 plain", "1 2 0 plain", "0.5 4 0 plain", {"--rounds", "5"});
  EXPECT_EQ(verdict.exit, Exit::kInconclusive) << printed_;
  EXPECT_EQ(column(verdict, "parity/time").claim, Claim::kInsufficient);
  EXPECT_EQ(column(verdict, "parity/time").point_rule, PointRule::kWin);
  EXPECT_THAT(printed_, HasSubstr("fewer than 6 rounds decide nothing"));
}

TEST_F(Parity, TheArmDecidesTheBlame) {
  EXPECT_EQ(judge("1.5 1 0 plain", "1 2 0 plain", "1 2 0 crash").exit, Exit::kFailed) << printed_;
  EXPECT_THAT(printed_, AllOf(HasSubstr("crashed: agent"), HasSubstr("(crash, retry as_is)")));
  EXPECT_EQ(judge("1.5 1 0 plain", "1 2 0 plain", "1 2 0 late").exit, Exit::kFailed) << printed_;
  EXPECT_EQ(judge("1.5 1 0 plain", "1 2 0 crash", "1 2 0.001 plain").exit, Exit::kNotComparable)
      << printed_;
  EXPECT_EQ(judge("1.5 1 0 plain", "1 2 0 plain", "1 2 0 lacks").exit, Exit::kNotComparable)
      << printed_;
  EXPECT_EQ(column(read_parity(folder_ / "verdict.json"), "parity/time").outcome,
            ParityStatus::kMissing);
}

TEST_F(Parity, ABrokenBaselineTakesOnlyItsOwnPairs) {
  for (const char* baseline : {"1.5 1 0 crash", "1.5 1 0 late", "1.5 1 0 lacks"}) {
    const ParityVerdict won = judge(baseline, "1 2 0.003 plain", "0.8 2.5 0.003 plain");
    EXPECT_EQ(won.exit, Exit::kPass) << printed_;
    const ParityColumn& time = column(won, "parity/time");
    EXPECT_EQ(time.outcome, ParityStatus::kWin) << printed_;
    EXPECT_EQ(time.human_baseline.status, ParityStatus::kNotComparable);
    EXPECT_THAT(time.human_baseline.reason, HasSubstr("baseline"));
    EXPECT_TRUE(std::isnan(time.human_baseline.effect.estimate));
  }
  // What a match is worth is then not known.
  const ParityVerdict matched = judge("1 1 0 crash", "1 2 0.003 plain", "1 2 0.002 plain");
  EXPECT_EQ(matched.exit, Exit::kNotComparable) << printed_;
  EXPECT_EQ(column(matched, "parity/time").outcome, ParityStatus::kMatch);
  EXPECT_FALSE(column(matched, "parity/time").vacuous);
}

TEST_F(Parity, ABaselineThatIsNoBenchmarkTakesOnlyItsOwnPairs) {
  write_text(folder_ / "script", "#!/bin/sh\nexit 3\n");
  std::filesystem::permissions(folder_ / "script", std::filesystem::perms::owner_all);
  const Finished finished =
      parity({"--baseline", folder_ / "script", "--human", arm("human", "1 2 0.003 plain"),
              "--agent", arm("agent", "0.8 2.5 0.003 plain"), "--rounds", "10", "--slice", "1ms",
              "--budget", "30s", "--json", folder_ / "verdict.json"});
  const ParityVerdict verdict = read_parity(folder_ / "verdict.json");
  EXPECT_EQ(finished.exit_code, 0) << finished.out << finished.err;
  EXPECT_EQ(column(verdict, "parity/time").outcome, ParityStatus::kWin);
}

TEST_F(Parity, OneExecutableOnTwoArmsIsInvalid) {
  const std::string one = arm("one", "1 2 0 plain");
  std::filesystem::copy_file(one, folder_ / "copy");
  const std::string other = arm("other", "1.5 2 0 plain");
  const std::vector<std::vector<std::string>> trios = {{other, one, folder_ / "copy"},
                                                       {one, other, folder_ / "copy"},
                                                       {one, folder_ / "copy", other}};
  for (const auto& trio : trios) {
    const Finished finished =
        parity({"--baseline", trio[0], "--human", trio[1], "--agent", trio[2]});
    EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kInvalid)) << finished.out;
    EXPECT_THAT(finished.out, HasSubstr("same_executable"));
  }
}

TEST_F(Parity, ASessionIsJudgedAgainAlike) {
  const ParityVerdict verdict = judge("1.5 1 0.003 plain", "1 2 0.003 plain", "1.2 2 0.003 plain");
  const Finished again = parity({"--from", folder_ / "session.json", "--json", "-"});
  EXPECT_EQ(again.exit_code, static_cast<int>(verdict.exit));
  EXPECT_EQ(again.out, read_text(folder_ / "verdict.json"));
  Command report;
  report.arguments = {PERFGATE_EXE, "report", folder_ / "verdict.json"};
  EXPECT_THAT(run_command(report).out, HasSubstr("Exit 10, loss"));
}

TEST_F(Parity, CoinsAreOrdersOfThreeArmsAndReplay) {
  const std::vector<std::string> options = {"--filter", "time", "--rounds", "40", "--seed", "5eed"};
  judge("1 1 0 roles", "1.001 1 0 roles", "1.002 1 0 roles", options);
  const Session session = read_session(folder_ / "session.json");
  std::vector<std::uint64_t> coins;
  std::array<int, 3> first = {};
  for (const RoundInfo& round : session.rounds) {
    coins.push_back(round.coin);
    ASSERT_LT(round.coin, 6U);
    ++first[static_cast<std::size_t>(round.cases[0].first_arm)];
    // The coin is the order that the arms really had: role 0 takes half the time of role 1.
    const auto& arms = round.cases[0].values[0];
    std::array<std::size_t, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return arms[a][0] < arms[b][0]; });
    std::array<std::size_t, 3> expected = {0, 1, 2};
    for (std::uint64_t i = 0; i < round.coin; ++i) {
      std::next_permutation(expected.begin(), expected.end());
    }
    ASSERT_EQ(order, expected) << round.coin;
  }
  ASSERT_EQ(coins.size(), 40U);
  for (const std::uint64_t coin : {0U, 1U, 2U, 3U, 4U, 5U}) {
    EXPECT_GT(std::count(coins.begin(), coins.end(), coin), 0) << coin;
  }
  for (const int count : first) EXPECT_GT(count, 0);
  judge("1 1 0 roles", "1.001 1 0 roles", "1.002 1 0 roles", options);
  const Session replayed = read_session(folder_ / "session.json");
  ASSERT_EQ(replayed.rounds.size(), 40U);
  for (std::size_t i = 0; i < coins.size(); ++i) EXPECT_EQ(replayed.rounds[i].coin, coins[i]);
}

TEST_F(Parity, RefusesBadOptions) {
  const int usage = static_cast<int>(Exit::kUsage);
  const std::string one = arm("one", "1 2 0 plain");
  EXPECT_EQ(parity({"--baseline", one, "--human", one}).exit_code, usage);
  EXPECT_EQ(parity({"--human", one, "--agent", one}).exit_code, usage);
  EXPECT_EQ(parity({"--baseline", one, "--from", "x.json"}).exit_code, usage);
  const std::vector<std::string> arms = {"--baseline", one, "--human", one, "--agent", one};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), arms.begin(), arms.end());
    return parity(more);
  };
  const Finished margin = with({"--margin", "0"});
  EXPECT_EQ(margin.exit_code, usage);
  EXPECT_THAT(margin.err, HasSubstr("margin"));
  EXPECT_EQ(with({"--margin", "wide"}).exit_code, usage);
  EXPECT_EQ(with({"--devices", "1"}).exit_code, usage);
  EXPECT_EQ(parity({"--baseline", "/absent", "--human", one, "--agent", one}).exit_code,
            static_cast<int>(Exit::kData));
}

}  // namespace
}  // namespace perfgate
