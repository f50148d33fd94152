// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/agent_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/verdict/parity/agents_session.h"

namespace perfgate {
namespace {

using synthetic::AddAgentsRound;
using synthetic::AgentsSession;
using synthetic::Noise;
using testing::ElementsAre;

template <class T>
void repeat_last(std::vector<T>& list) {
  if (!list.empty()) list.push_back(list.back());
}

// A session in which every field is set. Coins and first arms are of the whole session, and a
// session of parity has no second stage.
Session full_session_of_three() {
  Session session = sample::full_session();
  repeat_last(session.arms);
  session.arms[0].label = "baseline";
  session.arms[1].label = "human";
  session.arms[2].label = "agent";
  session.confirmation.clear();
  for (CaseInfo& info : session.cases) repeat_last(info.arm_iterations);
  for (RoundInfo& round : session.rounds) {
    round.coin = 0;
    repeat_last(round.layouts);
    for (CaseRound& measured : round.cases) {
      for (auto& arms : measured.values) repeat_last(arms);
      repeat_last(measured.slice_wall_s);
      repeat_last(measured.slice_timed_s);
    }
  }
  return session;
}

TEST(AgentView, OfOneAgentIsTheWholeSession) {
  const Session session = full_session_of_three();
  EXPECT_EQ(session_to_json(ViewOfAgent(session, 0).session), session_to_json(session));
}

TEST(AgentView, HoldsTheValuesAndFaultsOfItsOwnArms) {
  Session session = AgentsSession({"agent", "agent2"}, {"one", "two"});
  Noise noise(1);
  AddAgentsRound({0.1, 0.2}, 0.01, noise, session);
  session.rounds[0].cases[0].first_arm = 3;
  synthetic::add_fault(session, 1, 2, FaultKind::kCrashed);
  synthetic::add_fault(session, 1, 3, FaultKind::kTimeout);
  const AgentView view = ViewOfAgent(session, 1);
  EXPECT_THAT(view.cases, ElementsAre(0, 1));
  EXPECT_EQ(view.session.arms[2].label, "agent2");
  const auto& arms = view.session.rounds[0].cases[0].values[0];
  const auto& whole = session.rounds[0].cases[0].values[0];
  EXPECT_THAT(arms, ElementsAre(whole[0], whole[1], whole[3]));
  EXPECT_EQ(view.session.rounds[0].cases[0].first_arm, 2);
  ASSERT_EQ(view.session.faults.size(), 1U);
  EXPECT_EQ(view.session.faults[0].kind, FaultKind::kTimeout);
  EXPECT_EQ(view.session.faults[0].arm, 2);
}

TEST(AgentView, CasesThatOnlyOtherAgentsHaveAreNoneOfItsOwn) {
  Session session = AgentsSession({"agent", "agent2"}, {"all", "others", "late"});
  for (const int arm : {0, 1, 2}) synthetic::add_fault(session, 1, arm, FaultKind::kAbsent, "", -1);
  synthetic::add_fault(session, 2, 2, FaultKind::kCrashed, "", -1);
  EXPECT_THAT(ViewOfAgent(session, 0).cases, ElementsAre(0, 2));
  EXPECT_THAT(ViewOfAgent(session, 1).cases, ElementsAre(0, 1, 2));
  session.policy.expected = {"others"};
  EXPECT_THAT(ViewOfAgent(session, 0).cases, ElementsAre(0, 1, 2));
}

// An arm that cannot be listed has a fault in every case, and lacks none.
TEST(AgentView, AnArmThatCannotBeListedOffersNoCase) {
  Session session = AgentsSession({"agent", "agent2"}, {"all", "others"});
  for (const std::size_t c : {0U, 1U}) {
    synthetic::add_fault(session, c, 0, FaultKind::kCrashed, "", -1);
  }
  for (const int arm : {1, 2}) synthetic::add_fault(session, 1, arm, FaultKind::kAbsent, "", -1);
  EXPECT_THAT(ViewOfAgent(session, 0).cases, ElementsAre(0));
  for (const std::size_t c : {0U, 1U}) {
    for (const int arm : {1, 2}) synthetic::add_fault(session, c, arm, FaultKind::kLaunch, "", -1);
  }
  EXPECT_THAT(ViewOfAgent(session, 0).cases, ElementsAre(0, 1)) << "nobody says what there is";
}

TEST(AgentView, ArmsHaveLabelsOfTheirOwn) {
  EXPECT_EQ(AgentCount(AgentsSession({"a", "b", "c"}, {"one"})), 3U);
  EXPECT_EQ(AgentCount(synthetic::empty_session({"one"})), 0U);
  RequireParityArms(AgentsSession({"a", "b"}, {"one"}));
  EXPECT_THROW(RequireParityArms(AgentsSession({}, {"one"})), Error);
  EXPECT_THROW(RequireParityArms(AgentsSession({"a", "a"}, {"one"})), Error);
  EXPECT_THROW(RequireParityArms(AgentsSession({"a", "human"}, {"one"})), Error);
  Session swapped = AgentsSession({"a"}, {"one"});
  std::swap(swapped.arms[0].label, swapped.arms[1].label);
  EXPECT_THROW(RequireParityArms(swapped), Error);
}

}  // namespace
}  // namespace perfgate
