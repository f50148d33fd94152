// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/outcomes.h"

#include <gtest/gtest.h>

namespace perfgate::study {
namespace {

std::vector<ArmRecord> Arms(ArmState baseline, ArmState human, ArmState agent) {
  std::vector<ArmRecord> arms(3);
  const ArmState states[] = {baseline, human, agent};
  const char* labels[] = {"baseline", "human", "agent"};
  for (std::size_t i = 0; i < arms.size(); ++i) {
    arms[i].label = labels[i];
    arms[i].status = states[i];
    arms[i].reason = "why";
  }
  return arms;
}

AgentRecord Judge(const std::vector<ArmRecord>& arms) { return WithoutMeasuring(arms, arms[2]); }

TEST(Outcomes, ABaselineThatDoesNotBuildLeavesHumanAndAgent) {
  const auto arms = Arms(ArmState::kBuildFailed, ArmState::kReady, ArmState::kReady);
  EXPECT_EQ(WhyNoBaseline(arms[0]), "build_failed: why");
  EXPECT_EQ(Judge(arms).label, "");
}

TEST(Outcomes, AnAgentThatFailsBesideAHumanWhoDoesNotIsToBlame) {
  const auto record = Judge(Arms(ArmState::kTestsFailed, ArmState::kReady, ArmState::kBuildFailed));
  EXPECT_EQ(record.outcome, ParityStatus::kFailed);
  EXPECT_EQ(record.reason, "agent: build_failed: why");
}

TEST(Outcomes, WithoutTheHumanNothingIsCompared) {
  const auto record = Judge(Arms(ArmState::kReady, ArmState::kCrash, ArmState::kBuildFailed));
  EXPECT_EQ(record.outcome, ParityStatus::kNotComparable);
  EXPECT_EQ(record.reason, "human: crash: why");
}

TEST(Outcomes, AMistakeOfTheTaskIsNoMissingBaseline) {
  for (const ArmState state : {ArmState::kUnknownCommit, ArmState::kBadCommand}) {
    const auto arms = Arms(state, ArmState::kReady, ArmState::kReady);
    EXPECT_EQ(WhyNoBaseline(arms[0]), "");
    EXPECT_EQ(Judge(arms).exit, Exit::kData);
  }
  // The next run tries it again.
  const auto arms = Arms(ArmState::kSetUpFailed, ArmState::kReady, ArmState::kReady);
  EXPECT_EQ(WhyNoBaseline(arms[0]), "");
  EXPECT_EQ(Judge(arms).outcome, ParityStatus::kNotComparable);
}

TEST(Outcomes, WhatAnAgentDiesOfWhileItIsMeasuredIsItsStatus) {
  const std::pair<const char*, ArmState> kEnds[] = {
      {"crashed: agent: killed by signal 11 (Segmentation fault)", ArmState::kCrash},
      {"crashed: agent: killed by signal 9 (Killed): it used up the memory that it may have",
       ArmState::kOutOfMemory},
      {"crashed: agent: killed by signal 6 (Aborted); it printed: std::bad_alloc",
       ArmState::kOutOfMemory},
      {"timeout: agent: no answer", ArmState::kTimeout},
      {"no_output: agent", ArmState::kNoMetrics}};
  for (const auto& [reason, status] : kEnds) {
    AgentRecord agent{.label = "agent", .outcome = ParityStatus::kFailed};
    agent.cases.push_back({.name = "c", .reason = reason});
    ArmRecord arm;
    MarkMeasured(agent, arm);
    EXPECT_EQ(arm.status, status) << reason;
  }
}

TEST(Outcomes, OneExecutableTwiceIsIdentical) {
  auto arms = Arms(ArmState::kReady, ArmState::kReady, ArmState::kReady);
  arms[0].digest = "a";
  arms[1].digest = arms[2].digest = "b";
  MarkIdentical(arms);
  EXPECT_EQ(arms[1].status, ArmState::kReady);
  EXPECT_EQ(arms[2].status, ArmState::kIdentical);
  EXPECT_EQ(Judge(arms).exit, Exit::kInvalid);
}

}  // namespace
}  // namespace perfgate::study
