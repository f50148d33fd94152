// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/round_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/perfgate/measure/fixtures/fake_arms.h"

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
    cases_[0].wall_s = 0.001;
    cases_[1].wall_s = 0.002;
    cases_[2].wall_s = 0.004;
  }

  double predicted(const std::vector<bool>& open, double launch_s = 0) const {
    return predicted_round_s(context_, cases_, open, launch_s);
  }

  MeasurePlan plan_;
  Context context_{plan_};
  std::vector<CaseInfo> cases_;
  std::vector<Calibrated> calibrated_;
};

// 2 arms x (3 pairs + 1 warm-up slice) = 8 slices a case.
TEST_F(RoundCost, IsTheSlicesOfOpenCasesAndOneLaunch) {
  EXPECT_DOUBLE_EQ(predicted({true, true, true}, 0.75), 8 * 0.007 + 0.75);
  EXPECT_DOUBLE_EQ(predicted({false, true, false}, 0.75), 8 * 0.002 + 0.75);
}

TEST_F(RoundCost, CountsWhatWasChosenForACase) {
  cases_[2].pairs = 1;
  cases_[2].warmup_slices = 0;
  EXPECT_DOUBLE_EQ(predicted({true, true, true}), 8 * 0.003 + 2 * 0.004);
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
  EXPECT_EQ(try_a_launch(stage, context_, cases_, calibrated_, {false, false, false}).launch_s, 0);
}

// A candidate's case that hangs is met here, before rounds that would meet it again.
TEST(TriedLaunchTest, ACaseThatFailsInAnyArmIsLeftOut) {
  MeasurePlan plan;
  plan.arms.resize(2);
  FakeArms arms(2);
  Context context{plan};
  context.launcher = arms.launcher();
  fill_context(2, {"x", "y"}, context);
  std::vector<CaseInfo> cases = context.matched.cases;
  for (CaseInfo& info : cases) info.iterations = 1;
  arms[1].answer = [](const SliceRequest& request) {
    return request.case_id == 0 ? faulty_slice(FaultKind::kTimeout) : good_slice(request);
  };
  Stage stage(context, {0, 1}, context.must_pause);
  const TriedLaunch tried =
      try_a_launch(stage, context, cases, std::vector<Calibrated>(2), {true, true});
  ASSERT_EQ(tried.faults.size(), 1U);
  EXPECT_EQ(tried.faults[0].case_index, 0U);
  EXPECT_EQ(tried.faults[0].arm, 1);
  EXPECT_EQ(tried.faults[0].kind, FaultKind::kTimeout);
  const std::vector<std::string> log = arms.collect_log();
  EXPECT_EQ(std::count(log.begin(), log.end(), "slice 1 case 0"), 1);
  EXPECT_EQ(std::count(log.begin(), log.end(), "slice 1 case 1"), 2) << "in the tries after it";
}

TEST(TriedLaunchTest, AFaultOfTheOptionalArmIsLeftToTheRounds) {
  MeasurePlan plan;
  plan.arms.resize(2);
  plan.optional_arm = 1;
  FakeArms arms(2);
  Context context{plan};
  context.launcher = arms.launcher();
  fill_context(2, {"x"}, context);
  std::vector<CaseInfo> cases = context.matched.cases;
  arms[1].answer = [](const SliceRequest&) { return faulty_slice(FaultKind::kCrashed); };
  Stage stage(context, {0, 1}, context.must_pause);
  EXPECT_TRUE(
      try_a_launch(stage, context, cases, std::vector<Calibrated>(1), {true}).faults.empty());
}

}  // namespace
}  // namespace perfgate::measure
