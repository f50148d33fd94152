// SPDX-License-Identifier: Apache-2.0
// What an arm does beside its slices: while the gate waits for a core, while it is idle, and after
// its last answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "perfgate/measure/schedule/stage.h"
#include "tests/perfgate/measure/fixtures/fake_arms.h"

namespace perfgate::measure {
namespace {

using testing::ElementsAre;

constexpr double kWallS = 1.0;
constexpr double kWaitedS = 0.5;

// Two arms that are stopped while they are idle. The gate saw a slice of one second, and says that
// it waited for half of it.
class StageClockTest : public testing::Test {
 protected:
  StageClockTest() {
    for (int arm = 0; arm < kArms; ++arm) {
      arms_[arm].answer = [](const SliceRequest& request) {
        SliceResult result = good_slice(request);
        result.wall_s = kWallS;
        result.waited_s = kWaitedS;
        return result;
      };
    }
  }

  double WaitedS(Stage& stage, double cpu_s) {
    arms_[0].slice_cpu_s = cpu_s;
    return slice(stage, 0).waited_s;
  }
  SliceResult slice(Stage& stage, int arm) { return stage.slice(arm, {0, 1}, &voided_); }

  static constexpr int kArms = 2;
  MeasurePlan plan_;
  FakeArms arms_{kArms};
  Context context_ = fake_context(plan_, arms_, kArms, {"case"});
  std::vector<bool> must_pause_ = std::vector<bool>(kArms, true);
  int voided_ = 0;
};

// What it computed was no waiting, whatever it answered before.
TEST_F(StageClockTest, TheGateWaitedForNoLongerThanTheArmWasIdle) {
  Stage stage(context_, {0, 1}, must_pause_);
  EXPECT_DOUBLE_EQ(WaitedS(stage, 0), kWaitedS);
  EXPECT_DOUBLE_EQ(WaitedS(stage, 0.5), kWaitedS);
  EXPECT_NEAR(WaitedS(stage, 0.7), 0.3, 1e-12);
  EXPECT_NEAR(WaitedS(stage, 1), 0, 1e-12);
  EXPECT_DOUBLE_EQ(WaitedS(stage, 7), 0) << "never negative";
}

TEST_F(StageClockTest, AnArmOnTwoCoresIsBusyWithBoth) {
  context_.cpus = {5, 7};
  Stage stage(context_, {0, 1}, must_pause_);
  stage.pin_for(2);
  EXPECT_NEAR(WaitedS(stage, 0.7), kWaitedS, 1e-12);
  EXPECT_NEAR(WaitedS(stage, 1.4), 0.3, 1e-12);
  stage.pin_for(1);
  EXPECT_NEAR(WaitedS(stage, 0.7), 0.3, 1e-12);
}

TEST_F(StageClockTest, OnlyTheWorkOfThisSliceCounts) {
  Stage stage(context_, {0, 1}, must_pause_);
  slice(stage, 0);
  arms_[0].cpu_s += 100;
  arms_[1].slice_cpu_s = 100;
  slice(stage, 1);
  EXPECT_DOUBLE_EQ(WaitedS(stage, 0.1), kWaitedS);
}

// While one arm answers every other one is stopped, and itself from its answer on.
TEST_F(StageClockTest, OneArmRunsAtATime) {
  Stage stage(context_, {0, 1}, must_pause_);
  stage.launch(std::vector<int>{0, 1});
  for (int arm = 0; arm < kArms; ++arm) {
    arms_[arm].answer = [this, arm](const SliceRequest& request) {
      EXPECT_TRUE(arms_[1 - arm].paused);
      return good_slice(request);
    };
  }
  for (const int arm : {0, 0, 1, 0, 1, 1}) {
    EXPECT_FALSE(slice(stage, arm).fault);
    EXPECT_TRUE(arms_[0].paused);
    EXPECT_TRUE(arms_[1].paused);
  }
}

TEST_F(StageClockTest, AnArmThatIsStoppedIsNotStoppedAgain) {
  Stage stage(context_, {0, 1}, must_pause_);
  stage.launch(std::vector<int>{0, 1});
  arms_.collect_log();
  slice(stage, 0);
  slice(stage, 0);
  slice(stage, 1);
  EXPECT_THAT(arms_.collect_log(),
              ElementsAre("pause 1", "slice 0 case 0", "pause 0", "slice 0 case 0", "pause 0",
                          "slice 1 case 0", "pause 1"));
}

TEST_F(StageClockTest, AnArmThatDiedIsNotStopped) {
  Stage stage(context_, {0, 1}, must_pause_);
  arms_[0].answer = [](const SliceRequest&) { return faulty_slice(FaultKind::kCrashed); };
  EXPECT_EQ(slice(stage, 0).fault, FaultKind::kCrashed);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("start 0 slot 0", "slice 0 case 0", "quit 0"));
}

TEST_F(StageClockTest, AnArmThatMayRunIsNotStopped) {
  must_pause_.assign(kArms, false);
  Stage stage(context_, {0, 1}, must_pause_);
  EXPECT_DOUBLE_EQ(WaitedS(stage, 7), kWaitedS) << "what a worker says of itself is believed";
  EXPECT_FALSE(arms_[0].paused);
}

TEST_F(StageClockTest, DeparturesSayWhatTheEndOfAnArmTook) {
  Stage stage(context_, {0, 1}, must_pause_);
  arms_[0].slice_cpu_s = 3;
  arms_[0].end_cpu_s = 0.25;
  slice(stage, 0);
  slice(stage, 1);
  const std::vector<Departure> departures = stage.quit();
  EXPECT_DOUBLE_EQ(departures[0].end_cpu_s, 0.25);
  EXPECT_DOUBLE_EQ(departures[1].end_cpu_s, 0);
  EXPECT_DOUBLE_EQ(stage.cpu_seconds(), 3.25);
}

TEST_F(StageClockTest, EveryLaunchOfAnArmAddsItsEnd) {
  context_.one_at_a_time = true;
  Stage stage(context_, {0, 1}, must_pause_);
  arms_[0].end_cpu_s = 0.25;
  for (const int arm : {0, 1, 0, 1, 0}) slice(stage, arm);
  EXPECT_DOUBLE_EQ(stage.quit()[0].end_cpu_s, 3 * 0.25);
  EXPECT_DOUBLE_EQ(stage.quit()[0].end_cpu_s, 0) << "said already";
}

}  // namespace
}  // namespace perfgate::measure
