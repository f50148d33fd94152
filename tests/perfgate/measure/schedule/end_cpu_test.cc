// SPDX-License-Identifier: Apache-2.0
// Processor time that an arm uses after its last answer is wall time of its slices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "perfgate/measure/schedule/round_runner.h"
#include "tests/perfgate/measure/fixtures/fake_arms.h"

namespace perfgate::measure {
namespace {

using testing::SizeIs;

constexpr int kTwoArms = 2;
constexpr int kSlices = 2;
constexpr double kUntimedS = 0.5;  // of every slice, in both arms

// Two cases, of which the second times three times as much.
double TimedS(std::size_t case_id) { return case_id == 0 ? 1.0 : 3.0; }

class EndCpuTest : public testing::Test {
 protected:
  EndCpuTest() {
    plan_.arms.resize(kTwoArms);
    plan_.policy.pairs = kSlices;
    plan_.policy.rounds = 1;
    fill_context(kTwoArms, {"short", "long"}, run_.context);
    state_.session.cases = run_.context.matched.cases;
    for (CaseInfo& info : state_.session.cases) info.iterations = 1;
    state_.open.assign(state_.session.cases.size(), true);
    run_.calibrated.assign(state_.session.cases.size(), {});
    for (int arm = 0; arm < kTwoArms; ++arm) {
      arms_[arm].answer = [](const SliceRequest& request) {
        SliceResult result = good_slice(request);
        result.total_s = TimedS(request.case_id);
        result.wall_s = result.total_s + kUntimedS;
        return result;
      };
    }
  }

  // The walls of one round: [case][arm][slice].
  std::vector<std::vector<std::vector<double>>> Walls() {
    RoundRunner runner(1, run_, state_);
    EXPECT_EQ(runner.RunRound(), RoundEnd::kWhole);
    std::vector<std::vector<std::vector<double>>> walls(2);
    for (const CaseRound& measured : state_.session.rounds.back().cases) {
      walls.at(measured.case_index) = measured.slice_wall_s;
    }
    return walls;
  }

  void ExpectWalls(double first_arm_s, double second_arm_s) {
    const auto walls = Walls();
    const double added_s[kTwoArms] = {first_arm_s, second_arm_s};
    for (std::size_t c = 0; c < 2; ++c) {
      ASSERT_THAT(walls[c], SizeIs(kTwoArms));
      for (std::size_t arm = 0; arm < kTwoArms; ++arm) {
        ASSERT_THAT(walls[c][arm], SizeIs(kSlices));
        for (const double wall_s : walls[c][arm]) {
          EXPECT_NEAR(wall_s, TimedS(c) + kUntimedS + added_s[arm] * TimedS(c), 1e-4)
              << "case " << c << ", arm " << arm;
        }
      }
    }
  }

  MeasurePlan plan_;
  Hooks hooks_;
  FakeArms arms_{kTwoArms};
  PreparedRun run_{plan_, hooks_, arms_.launcher()};
  RunState state_;
};

TEST_F(EndCpuTest, AnArmThatEndsAtOnceIsChargedNothing) { ExpectWalls(0, 0); }

// 8 timed seconds in all slices of a launch: 0.8 s are a tenth of them.
TEST_F(EndCpuTest, IsSharedOverTheSlicesOfTheArmByWhatTheyTimed) {
  arms_[1].end_cpu_s = 0.8;
  ExpectWalls(0, 0.1);
  arms_[0].end_cpu_s = 1.6;
  ExpectWalls(0.2, 0.1);
}

TEST_F(EndCpuTest, WhatAnArmUsedInItsSlicesIsNotChargedAgain) {
  arms_[0].slice_cpu_s = arms_[1].slice_cpu_s = 5;
  ExpectWalls(0, 0);
}

// A launch of two timed seconds and one of six; each charges its end to its own case.
TEST_F(EndCpuTest, EveryLaunchChargesItsOwnCases) {
  plan_.launch_of = [](const std::string& name) { return name; };
  arms_[1].end_cpu_s = 0.6;
  const auto walls = Walls();
  for (std::size_t c = 0; c < 2; ++c) {
    for (const double wall_s : walls[c][0]) EXPECT_NEAR(wall_s, TimedS(c) + kUntimedS, 1e-4);
    for (const double wall_s : walls[c][1]) EXPECT_NEAR(wall_s, TimedS(c) + kUntimedS + 0.3, 1e-4);
  }
}

TEST_F(EndCpuTest, SlicesWithoutWallStayWithout) {
  for (int arm = 0; arm < kTwoArms; ++arm) {
    arms_[arm].end_cpu_s = 0.8;
    arms_[arm].answer = [](const SliceRequest& request) {
      SliceResult result = good_slice(request);
      result.has_wall = false;
      return result;
    };
  }
  for (const auto& walls : Walls()) EXPECT_THAT(walls, SizeIs(0));
}

}  // namespace
}  // namespace perfgate::measure
