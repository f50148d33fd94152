// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/second_clock.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/parity/parity_verdict.h"
#include "tests/perfgate/verdict/clocked_session.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::Honest;
using synthetic::JudgedOf;
using synthetic::kTimed;
using synthetic::Noise;
using synthetic::ParitySession;
using synthetic::Scaled;
using synthetic::SessionOf;
using synthetic::Slice;

// Half of the work is done while it does not time.
Slice Paused(Noise& noise) {
  Slice slice = Honest(noise);
  slice.timed_s *= 0.5;
  return slice;
}

TEST(SecondClock, AScaledClockIsInvalid) {
  Noise noise(1);
  const Session session = SessionOf(
      10, [&](std::size_t arm, int, int) { return arm == 0 ? Honest(noise) : Scaled(noise); });
  const SuiteVerdict suite = decide(session);
  const ColumnVerdict& column = synthetic::find_column(suite, "a");
  EXPECT_EQ(column.verdict, Verdict::kInvalid);
  EXPECT_EQ(column.claim, Claim::kInvalid);
  EXPECT_EQ(column.reason.rfind("second_clock: ", 0), 0U) << column.reason;
  EXPECT_NE(column.reason.find("--second-clock report"), std::string::npos) << column.reason;
  EXPECT_EQ(suite.exit, Exit::kInvalid);
  EXPECT_EQ(open_cases(session), std::vector<bool>{false});
}

TEST(SecondClock, OffAndReportBelieveTheReport) {
  Noise noise(2);
  Session session = SessionOf(
      16, [&](std::size_t arm, int, int) { return arm == 0 ? Honest(noise) : Scaled(noise); });
  session.policy.second_clock = SecondClock::kOff;
  EXPECT_EQ(decide(session).exit, Exit::kPass);
  EXPECT_TRUE(decide(session).warnings.empty());
  session.policy.second_clock = SecondClock::kReport;
  EXPECT_EQ(decide(session).exit, Exit::kPass);
  ASSERT_EQ(decide(session).warnings.size(), 1U);
  EXPECT_EQ(decide(session).warnings[0].rfind("a: second_clock: ", 0), 0U);
}

TEST(SecondClock, PausedWorkIsInvalid) {
  Noise noise(3);
  const Session session = SessionOf(
      8, [&](std::size_t arm, int, int) { return arm == 0 ? Honest(noise) : Paused(noise); });
  EXPECT_EQ(JudgedOf(session).verdict, Verdict::kInvalid);
}

// Two rounds in three are honest, so no median shows it.
TEST(SecondClock, RareLargeUntimedWorkShowsInTheMean) {
  Noise noise(4);
  const Session session = SessionOf(60, [&](std::size_t arm, int round, int) {
    Slice slice = Honest(noise);
    if (arm == 1 && round % 3 == 0) slice.wall_s += 2 * kTimed;
    return slice;
  });
  EXPECT_EQ(JudgedOf(session).verdict, Verdict::kInvalid);
}

TEST(SecondClock, ASpikeOfTheMachineProvesNothing) {
  Noise noise(5);
  const Session session = SessionOf(16, [&](std::size_t arm, int round, int) {
    Slice slice = Honest(noise);
    if (arm == 1 && round == 7) slice.wall_s += 500 * kTimed;
    return slice;
  });
  EXPECT_EQ(JudgedOf(session).verdict, Verdict::kNoRegression);
}

TEST(SecondClock, WhatTheBaselineLeavesUnexplainedIsNotHeldAgainstTheCandidate) {
  Noise noise(6);
  const Session session = SessionOf(
      12, [&](std::size_t arm, int, int) { return arm == 1 ? Honest(noise) : Paused(noise); });
  EXPECT_EQ(JudgedOf(session).verdict, Verdict::kRegression);
}

TEST(SecondClock, UntimedWorkMayGrowWithTheTimedWork) {
  Noise noise(7);
  const Session session = SessionOf(16, [&](std::size_t arm, int, int) {
    Slice slice = Honest(noise, arm == 0 ? 0 : 0.015);
    slice.wall_s += 5 * slice.timed_s;  // a check that calls the same code
    return slice;
  });
  EXPECT_EQ(JudgedOf(session).verdict, Verdict::kNoRegression) << JudgedOf(session).reason;
}

// A median between the margin and proof: 6 of 6, but barely.
TEST(SecondClock, ASuspiciousPassIsWithheldAndGoesOn) {
  Noise noise(8);
  const auto slow = [&](std::size_t arm, int, int slice) {
    Slice one = Honest(noise);
    if (arm == 1) one.wall_s += kTimed * (slice == 0 ? 0.3 + noise(0, 0.06) : 0.02);
    return one;
  };
  Session session = SessionOf(6, slow);
  const ColumnVerdict column = JudgedOf(session);
  ASSERT_EQ(column.verdict, Verdict::kInconclusive) << column.reason;
  EXPECT_TRUE(IsWithheldBySecondClock(column));
  EXPECT_EQ(open_cases(session), std::vector<bool>{true});
  session.policy.hide_limit = 10;
  EXPECT_EQ(decide(session).exit, Exit::kInconclusive);
  session.policy.second_clock = SecondClock::kOff;
  EXPECT_EQ(JudgedOf(session).verdict, Verdict::kNoRegression);
  EXPECT_EQ(open_cases(session), std::vector<bool>{false});
}

// It claims 4 % less, of which 2.6 % are work that it does untimed: below the margin of the policy.
TEST(SecondClock, AnImprovementMustShowInWallTime) {
  Noise noise(9);
  const auto session_of = [&](double hidden) {
    return SessionOf(20, [&noise, hidden](std::size_t arm, int, int) {
      Slice slice = Honest(noise, arm == 0 ? 0 : -0.04);
      if (arm == 1) slice.wall_s += hidden * kTimed;
      return slice;
    });
  };
  EXPECT_EQ(JudgedOf(session_of(0)).verdict, Verdict::kImprovement);
  EXPECT_EQ(JudgedOf(session_of(0.026)).verdict, Verdict::kInvalid);
}

TEST(SecondClock, OtherMetricsFollowTheInvalidTime) {
  Noise noise(10);
  Session session = SessionOf(
      10, [&](std::size_t arm, int, int) { return arm == 0 ? Honest(noise) : Scaled(noise); });
  session.metrics.push_back(synthetic::kCount);
  for (RoundInfo& round : session.rounds) {
    round.cases[0].values.push_back({{5, 5, 5}, {5, 5, 5}});
  }
  const SuiteVerdict suite = decide(session);
  EXPECT_EQ(synthetic::find_column(suite, "a", "allocations").verdict, Verdict::kInvalid);
}

TEST(SecondClock, SessionsWithoutWallAreJudgedAsBefore) {
  Noise noise(11);
  Session session = SessionOf(
      16, [&](std::size_t arm, int, int) { return arm == 0 ? Honest(noise) : Scaled(noise); });
  for (RoundInfo& round : session.rounds) {
    round.cases[0].slice_wall_s.clear();
    round.cases[0].slice_timed_s.clear();
  }
  EXPECT_NE(JudgedOf(session).verdict, Verdict::kInvalid);
}

// A simulated device: its seconds are not those of any wall.
TEST(SecondClock, TimeOfAnotherClockIsNotHeldAgainstTheWall) {
  Noise noise(12);
  const Session session = SessionOf(16, [&](std::size_t arm, int, int) {
    Slice slice = Honest(noise);
    slice.wall_s = 0.1 * slice.timed_s * (arm == 0 ? 1 : 3);
    return slice;
  });
  EXPECT_EQ(JudgedOf(session).verdict, Verdict::kNoRegression);
}

// Arms that run by time make other numbers of iterations, and set-up is fixed or one per iteration.
TEST(SecondClock, OtherNumbersOfIterationsAreNoExcess) {
  for (const double fixed_s : {0.0, 0.004}) {
    for (const double each_s : {0.0, 4e-6}) {
      for (const double change : {-0.3, 0.3}) {
        Noise noise(13);
        Session session = synthetic::empty_session({"a"}, {Metric{}}, 12);
        for (int r = 0; r < 12; ++r) {
          synthetic::add_round(session);
          CaseRound measured;
          measured.values.resize(1);
          for (std::size_t arm = 0; arm < 2; ++arm) {
            const double real_s = 1e-5 * (arm == 0 ? 1 : 1 + change) * (1 + noise(0, 0.003));
            const double iterations = std::round(kTimed / real_s);
            const double timed_s = iterations * real_s;
            measured.values[0].push_back({real_s});
            measured.slice_timed_s.push_back({timed_s});
            measured.slice_wall_s.push_back({timed_s + fixed_s + each_s * iterations});
          }
          session.rounds.back().cases.push_back(measured);
        }
        EXPECT_NE(JudgedOf(session).verdict, Verdict::kInvalid)
            << fixed_s << " " << each_s << " " << change << ": " << JudgedOf(session).reason;
      }
    }
  }
}

// Equal set-up, whatever the noise: no session of 2,000 is called invalid, and few are withheld.
TEST(SecondClock, HonestNoiseIsNeverInvalid) {
  for (const double sd : {0.001, 0.02, 0.1, 0.5, 2.0}) {
    Noise noise(14);
    int suspicious = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<double> x;
      for (int r = 0; r < 16; ++r) x.push_back(noise(0, sd));
      const ClockFinding finding = FindExcess(x, 0.03, 1);
      ASSERT_NE(finding, ClockFinding::kProven) << "sd " << sd << ", session " << i;
      if (finding == ClockFinding::kSuspicious) ++suspicious;
    }
    EXPECT_LT(suspicious, 60) << sd;
  }
}

TEST(SecondClock, ManyNoisyCasesDoNotBecomeSuspicious) {
  Noise noise(15);
  int suites = 0;
  for (int i = 0; i < 200; ++i) {
    bool any = false;
    for (int c = 0; c < 100; ++c) {
      std::vector<double> x;
      for (int r = 0; r < 16; ++r) x.push_back(noise(0, 1));
      any = any || FindExcess(x, 0.03, 100) != ClockFinding::kNone;
    }
    if (any) ++suites;
  }
  EXPECT_LT(suites, 15);
}

TEST(SecondClock, NeedsSixRounds) {
  EXPECT_EQ(FindExcess(std::vector<double>(5, 1.0), 0.03, 1), ClockFinding::kNone);
  EXPECT_NE(FindExcess(std::vector<double>{.2, .3, .4, .2, .3, .05}, 0.03, 1), ClockFinding::kNone);
}

TEST(SecondClock, AnAgentThatScalesItsClockDoesNotWin) {
  Noise noise(16);
  const auto outcome_of = [](const Session& session) {
    return decide_parity(session, "").columns.at(0).outcome;
  };
  EXPECT_EQ(outcome_of(ParitySession(noise, [&] { return Honest(noise, -0.3); })),
            ParityStatus::kWin);
  Session lying = ParitySession(noise, [&] { return Scaled(noise); });
  const ParityVerdict verdict = decide_parity(lying, "");
  EXPECT_EQ(verdict.columns.at(0).outcome, ParityStatus::kInvalid);
  EXPECT_EQ(verdict.exit, Exit::kInvalid);
  EXPECT_EQ(verdict.columns.at(0).reason.rfind("second_clock: ", 0), 0U)
      << verdict.columns.at(0).reason;
  lying.policy.second_clock = SecondClock::kOff;
  EXPECT_NE(outcome_of(lying), ParityStatus::kInvalid);
}

}  // namespace
}  // namespace perfgate
