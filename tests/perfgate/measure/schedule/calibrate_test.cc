// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/calibrate.h"

#include <gtest/gtest.h>

#include "tests/perfgate/measure/fixtures/fake_arms.h"

namespace perfgate::measure {
namespace {

// One case whose iterations take 1 us, on one arm whose slices take 50 ms more of the gate's clock.
class CalibrateTest : public testing::Test {
 protected:
  // own_s: what the arm says that a slice took beside its iterations; negative: it does not say.
  CaseInfo Calibrate(double own_s) {
    arms_[0].answer = [own_s](const SliceRequest& request) {
      SliceResult result = good_slice(request);
      result.wall_s += 0.05;
      if (own_s >= 0) result.own_wall_s = result.total_s + own_s;
      return result;
    };
    Stage stage(context_, {0}, context_.must_pause);
    CaseInfo info = context_.matched.cases[0];
    calibrated_ = calibrate_case(stage, context_, 0, info);
    return info;
  }

  MeasurePlan plan_ = [] {
    MeasurePlan plan;
    plan.arms.resize(1);
    return plan;
  }();
  FakeArms arms_{1};
  Context context_ = fake_context(plan_, arms_, 1, {"case"});
  Calibrated calibrated_;
};

TEST_F(CalibrateTest, SetUpLengthensASlice) {
  for (const double own_s : {-1.0, 0.05}) {
    const CaseInfo info = Calibrate(own_s);
    EXPECT_TRUE(calibrated_.usable);
    EXPECT_NEAR(info.slice_s, 0.2, 1e-6) << "the longest; 50 ms are a fifth of it and themselves";
    EXPECT_NEAR(info.setup_share, 0.2, 1e-6);
    EXPECT_NEAR(info.wall_s, 0.25, 1e-6);
  }
}

// The gate waited for a core: that is a cost of every slice, but longer ones do not help.
TEST_F(CalibrateTest, WhatTheArmDoesNotSeeIsNoSetUp) {
  const CaseInfo info = Calibrate(0);
  EXPECT_NEAR(info.slice_s, 0.01, 1e-6);
  EXPECT_NEAR(info.setup_share, 0, 1e-6);
  EXPECT_NEAR(info.wall_s, 0.06, 1e-6);
}

// A worker cannot make itself cheap: it is not believed more than the gate's clock.
TEST_F(CalibrateTest, AnArmThatSaysMoreThanTheClockIsNotBelieved) {
  EXPECT_NEAR(Calibrate(10).wall_s, 0.25, 1e-6);
}

// Three alternatives, of which the second takes ten times as long and the third fails.
TEST(CalibrateEveryArm, EachHasItsIterationsAndWhatFailsIsLeftOut) {
  MeasurePlan plan;
  plan.arms.resize(3);
  plan.optional_arm = kEveryArm;
  FakeArms arms(3);
  arms[1].answer = [](const SliceRequest& request) {
    SliceResult result = good_slice(request);
    result.real_s *= 10;
    result.total_s *= 10;
    result.wall_s *= 10;
    return result;
  };
  arms[2].answer = [](const SliceRequest&) { return faulty_slice(FaultKind::kError); };
  Context context = fake_context(plan, arms, 3, {"case"});
  Stage stage(context, {0, 1, 2}, context.must_pause);
  CaseInfo info = context.matched.cases[0];
  const Calibrated calibrated = calibrate_case(stage, context, 0, info);
  EXPECT_TRUE(calibrated.usable);
  ASSERT_EQ(calibrated.faults.size(), 1U);
  EXPECT_EQ(calibrated.faults[0].arm, 2);
  ASSERT_EQ(info.arm_iterations.size(), 3U);
  EXPECT_EQ(info.arm_iterations[0], 10000);
  EXPECT_EQ(info.arm_iterations[1], 1000);
  EXPECT_EQ(info.arm_iterations[2], 0);
  EXPECT_EQ(info.iterations, 10000);
  EXPECT_NEAR(info.slice_s, 0.01, 1e-9);
}

}  // namespace
}  // namespace perfgate::measure
