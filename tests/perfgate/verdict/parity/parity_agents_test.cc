// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/parity/parity_verdict.h"
#include "tests/perfgate/verdict/parity/agents_session.h"

namespace perfgate {
namespace {

using synthetic::AddAgentsRound;
using synthetic::AgentsSession;
using synthetic::Noise;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<std::string> kLabels = {"agent", "agent2", "agent3", "agent4"};

Session four_agents(const std::vector<double>& effects, double sd, int rounds,
                    std::uint64_t seed = 1, const std::vector<std::string>& cases = {"work"}) {
  Session session = AgentsSession(kLabels, cases);
  session.id = std::string(32, '0');
  session.schedule.seed = std::string(16, '0');
  Noise noise(seed);
  for (int r = 0; r < rounds; ++r) AddAgentsRound(effects, sd, noise, session);
  return session;
}

// The session that this agent alone would have left.
Session alone(Session session, std::size_t agent) {
  const auto keep = [&](auto& list) {
    list[2] = list[2 + agent];
    list.resize(3);
  };
  keep(session.arms);
  for (RoundInfo& round : session.rounds) {
    for (CaseRound& measured : round.cases) {
      for (auto& arms : measured.values) keep(arms);
    }
  }
  std::erase_if(session.faults, [&](const Fault& fault) {
    return fault.arm >= 2 && fault.arm != 2 + static_cast<int>(agent);
  });
  for (Fault& fault : session.faults) fault.arm = std::min(fault.arm, 2);
  return session;
}

std::vector<ParityStatus> outcomes(const ParityAgents& agents) {
  std::vector<ParityStatus> found;
  for (const ParityVerdict& verdict : agents.verdicts) {
    found.push_back(verdict.columns.at(0).outcome);
  }
  return found;
}

TEST(ParityAgents, EachIsJudgedAsIfItWereAlone) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Session session = four_agents({-0.2, 0, 0.2, 0.05}, 0.02, 24, seed, {"one", "two"});
    synthetic::add_fault(session, 1, 3, FaultKind::kCrashed);
    const ParityAgents agents = DecideParityAgents(session);
    ASSERT_EQ(agents.verdicts.size(), kLabels.size());
    for (std::size_t i = 0; i < kLabels.size(); ++i) {
      EXPECT_EQ(parity_to_json(agents.verdicts[i]),
                parity_to_json(decide_parity(alone(session, i))));
    }
  }
}

TEST(ParityAgents, OfOneAgentIsItsVerdict) {
  const Session session = alone(four_agents({-0.2, 0, 0, 0}, 0.02, 24), 0);
  const ParityAgents agents = DecideParityAgents(session);
  ASSERT_EQ(agents.verdicts.size(), 1U);
  EXPECT_EQ(parity_to_json(agents.verdicts[0]), parity_to_json(decide_parity(session)));
  EXPECT_EQ(OpenCasesOfAgents(session), open_parity_cases(session));
  EXPECT_THROW(decide_parity(four_agents({0, 0, 0, 0}, 0.02, 6)), Error) << "one of several";
}

TEST(ParityAgents, OneThatFailsLeavesTheOthers) {
  Session session = four_agents({-0.2, 0, 0.2, 0}, 0.005, 10);
  synthetic::add_fault(session, 0, 5, FaultKind::kTimeout);
  const ParityAgents agents = DecideParityAgents(session);
  EXPECT_THAT(outcomes(agents), ElementsAre(ParityStatus::kWin, ParityStatus::kMatch,
                                            ParityStatus::kLoss, ParityStatus::kFailed));
  EXPECT_THAT(agents.verdicts[3].columns[0].reason, HasSubstr("timeout: agent4"));
  EXPECT_EQ(agents.together.exit, Exit::kFailed) << "the worst decides";
  EXPECT_EQ(agents.together.summary,
            "agent: 1 win; agent2: 1 match; agent3: 1 loss; agent4: 1 failed");
  EXPECT_EQ(agents.together.agents[2].losses, 1U);
  EXPECT_EQ(agents.together.agents[2].exit, Exit::kRegression);
  EXPECT_EQ(agents.together.agents[3].failed, 1U);
}

TEST(ParityAgents, WithoutTheHumanNothingIsJudged) {
  Session session = four_agents({-0.2, 0, 0.2, 0}, 0.005, 10);
  synthetic::add_fault(session, 0, 1, FaultKind::kCrashed);
  for (const ParityVerdict& verdict : DecideParityAgents(session).verdicts) {
    EXPECT_EQ(verdict.exit, Exit::kNotComparable);
  }
}

TEST(ParityAgents, ACopyOfAnotherArmIsInvalidForThatAgentAlone) {
  Session session = four_agents({-0.2, 0, 0.2, 0}, 0.005, 10);
  session.arms[3].digest = session.arms[1].digest;
  session.arms[5].digest = session.arms[0].digest;
  const ParityAgents agents = DecideParityAgents(session);
  EXPECT_THAT(outcomes(agents), ElementsAre(ParityStatus::kWin, ParityStatus::kInvalid,
                                            ParityStatus::kLoss, ParityStatus::kInvalid));
  EXPECT_THAT(agents.verdicts[1].columns[0].reason,
              StartsWith("same_executable: human and agent2 are one"));
  EXPECT_EQ(agents.together.agents[1].others, 1U);
  session.arms[0].digest = session.arms[1].digest;
  for (const ParityStatus outcome : outcomes(DecideParityAgents(session))) {
    EXPECT_EQ(outcome, ParityStatus::kInvalid) << "the human is the baseline";
  }
}

// Nobody may spoil another agent's verdict by handing in a copy of it.
TEST(ParityAgents, TwoAgentsOfOneExecutableAreBothJudged) {
  Session session = four_agents({-0.2, -0.2, 0.2, 0}, 0.005, 10);
  session.arms[3].digest = session.arms[2].digest;
  const std::vector<ParityStatus> found = outcomes(DecideParityAgents(session));
  EXPECT_EQ(found[0], ParityStatus::kWin);
  EXPECT_EQ(found[1], ParityStatus::kWin);
}

TEST(ParityAgents, ACaseIsOpenUntilEveryAgentIsSettled) {
  EXPECT_THAT(OpenCasesOfAgents(four_agents({-0.2, 0, 0.2, 0}, 0.005, 6)), ElementsAre(false));
  EXPECT_THAT(OpenCasesOfAgents(four_agents({-0.2, 0, 0.2, std::log(1.05)}, 0.005, 6)),
              ElementsAre(true));
  Session failed = four_agents({-0.2, 0, 0.2, std::log(1.05)}, 0.005, 6);
  synthetic::add_fault(failed, 0, 5, FaultKind::kCrashed);
  EXPECT_THAT(OpenCasesOfAgents(failed), ElementsAre(false)) << "it will not be settled any more";
}

TEST(ParityAgents, AnOpenCaseIsFoundWhereAnotherIsNotInTheView) {
  Session session = four_agents({-0.2, 0, 0.2, std::log(1.05)}, 0.005, 6, 1, {"others", "work"});
  for (RoundInfo& round : session.rounds) round.cases.erase(round.cases.begin());
  for (const int arm : {0, 1, 3, 4, 5}) {
    synthetic::add_fault(session, 0, arm, FaultKind::kAbsent, "", -1);
  }
  EXPECT_THAT(OpenCasesOfAgents(session), ElementsAre(false, true));
  const ParityAgents agents = DecideParityAgents(session);
  EXPECT_EQ(agents.verdicts[1].columns.size(), 1U) << "what it never had it does not lack";
}

TEST(ParityAgents, ClaimsPayForAgentsAndCases) {
  const Session session = four_agents({-0.2, 0, 0.2, 0}, 0.005, 6, 1, {"one", "two", "three"});
  const ParityAgents agents = DecideParityAgents(session);
  ASSERT_EQ(agents.together.claims.size(), 12U);
  for (const AgentClaim& claim : agents.together.claims) {
    if (claim.agent == "agent") {
      EXPECT_NEAR(claim.p_win, 12.0 / 64, 1e-12);
    } else if (claim.agent == "agent3") {
      EXPECT_NEAR(claim.p_loss, 12.0 / 64, 1e-12);
    }
  }
  // Alone it pays for its three cases.
  EXPECT_NEAR(agents.verdicts[0].columns[0].p_win.value(), 3.0 / 64, 1e-12);
  EXPECT_EQ(agents.together.agents[0].wins, 3U);
  EXPECT_EQ(agents.together.agents[0].claimed_wins, 0U) << "6 rounds carry no claim among 12";
  Session longer = four_agents({-0.2, 0, 0.2, 0}, 0.005, 16, 1, {"one", "two", "three"});
  longer.schedule.looks = {16};
  longer.schedule.look_alpha = {0};
  EXPECT_EQ(DecideParityAgents(longer).together.agents[0].claimed_wins, 3U);
  EXPECT_EQ(DecideParityAgents(longer).together.agents[2].claimed_losses, 3U);
}

struct FalseOutcomes {
  int named = 0;    // wins and losses of one agent and case
  int claimed = 0;  // sessions with any claim
};

FalseOutcomes simulated(double effect, int sessions) {
  FalseOutcomes found;
  for (int s = 0; s < sessions; ++s) {
    const std::vector<double> effects(kLabels.size(), effect);
    const ParityAgents agents = DecideParityAgents(
        four_agents(effects, 0.03, 40, 100 + static_cast<std::uint64_t>(s), {"work"}));
    bool any = false;
    for (const AgentSummary& agent : agents.together.agents) {
      found.named += static_cast<int>(agent.wins + agent.losses);
      any = any || agent.claimed_wins + agent.claimed_losses > 0;
    }
    found.claimed += any ? 1 : 0;
  }
  return found;
}

// tests/calibration/parity_agents.cc has more sessions and larger families.
TEST(ParityAgents, AgentsAsFastAsTheHumanNeitherWinNorLose) {
  constexpr int kSessions = 150;
  const FalseOutcomes same = simulated(0, kSessions);
  EXPECT_EQ(same.named, 0);
  EXPECT_EQ(same.claimed, 0);
  // At the margin itself a loss is named in at most 5 % per agent, and claimed in 5 % of sessions.
  const FalseOutcomes at_margin = simulated(std::log(1.05), kSessions);
  EXPECT_LE(at_margin.named, kSessions * 4 / 12);
  EXPECT_GT(at_margin.named, 0) << "the simulation would find something";
  EXPECT_LE(at_margin.claimed, kSessions / 10);
}

}  // namespace
}  // namespace perfgate
