// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/round_cost.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace perfgate::measure {
namespace {

// Two arms of 0.5 s and 0.25 s of start-up; cases a/x, b/x and a/y with slices of 1, 2 and 4 ms.
class RoundCost : public testing::Test {
 protected:
  RoundCost() {
    plan_.arms.resize(2);
    plan_.policy.pairs = 3;
    plan_.policy.warmup_slices = 1;
    context_.listings.resize(2);
    context_.listings[0].startup_s = 0.5;
    context_.listings[1].startup_s = 0.25;
    context_.drivers = {DriverKind::kWorker, DriverKind::kWorker};
    for (const char* name : {"a/x", "b/x", "a/y"}) {
      cases_.emplace_back();
      cases_.back().name = name;
      calibrated_.emplace_back();
    }
    calibrated_[0].slice_wall_s = 0.001;
    calibrated_[1].slice_wall_s = 0.002;
    calibrated_[2].slice_wall_s = 0.004;
  }

  double predicted(const std::vector<bool>& open, double launch_s = 0) const {
    return predicted_round_s(context_, cases_, calibrated_, open, launch_s);
  }

  MeasurePlan plan_;
  Context context_{plan_};
  std::vector<CaseInfo> cases_;
  std::vector<Calibrated> calibrated_;
};

// 2 arms x (3 pairs + 1 warm-up slice) = 8 slices a case.
TEST_F(RoundCost, IsTheSlicesOfOpenCasesAndOneLaunchOfEveryArm) {
  EXPECT_DOUBLE_EQ(predicted({true, true, true}), 8 * 0.007 + 0.75);
  EXPECT_DOUBLE_EQ(predicted({false, true, false}), 8 * 0.002 + 0.75);
  EXPECT_DOUBLE_EQ(predicted({true, true, true}, 100), 8 * 0.007 + 0.75);
}

TEST_F(RoundCost, StartsAProcessPerSuiteForEverySlice) {
  context_.drivers = {DriverKind::kProcessPerSuite, DriverKind::kProcessPerSuite};
  EXPECT_DOUBLE_EQ(predicted({true, true, true}), 8 * 0.007 + 4 * 0.75);
}

TEST_F(RoundCost, CountsTheLaunchesOfOpenCases) {
  plan_.launch_of = [](const std::string& name) { return name.substr(2); };
  EXPECT_DOUBLE_EQ(predicted({true, true, true}, 0.1), 8 * 0.007 + 2 * 0.1);
  EXPECT_DOUBLE_EQ(predicted({true, true, false}, 0.1), 8 * 0.003 + 0.1);
  EXPECT_DOUBLE_EQ(predicted({false, false, false}, 0.1), 0);
}

TEST_F(RoundCost, NoOpenCaseNeedsNoTrialLaunch) {
  Stage stage(context_, {0, 1}, context_.must_pause);
  EXPECT_EQ(seconds_of_a_launch(stage, context_, cases_, calibrated_, {false, false, false}), 0);
}

}  // namespace
}  // namespace perfgate::measure
