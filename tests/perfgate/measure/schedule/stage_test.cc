// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/perfgate/measure/fixtures/fake_arms.h"

namespace perfgate::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kSliceS = 1.0;
constexpr double kTooMuchS = 0.021 * kSliceS;  // of a slice of which 2 % are allowed
constexpr double kLittleS = 0.019 * kSliceS;

// Three arms, the third of which may be optional; slices of one second. Each arm starts in the slot
// of its number.
class StageTest : public testing::Test {
 protected:
  StageTest() {
    for (int arm = 0; arm < kArms; ++arm) {
      arms_[arm].answer = [](const SliceRequest& request) {
        SliceResult result = good_slice(request);
        result.wall_s = kSliceS;
        return result;
      };
    }
  }

  SliceResult slice(Stage& stage, int arm) { return stage.slice(arm, {0, 1}, &voided_); }
  void launch_all(Stage& stage) {
    stage.launch(std::vector<int>{0, 1, 2});
    arms_.collect_log();
  }
  void dies_at_slices(int arm) {
    arms_[arm].answer = [](const SliceRequest&) { return faulty_slice(FaultKind::kCrashed); };
  }

  static constexpr int kArms = 3;
  MeasurePlan plan_;
  FakeArms arms_{kArms};
  Context context_ = fake_context(plan_, arms_, kArms, {"case"});
  std::vector<bool> must_pause_ = std::vector<bool>(kArms, false);
  int voided_ = 0;
};

TEST_F(StageTest, LaunchesInTheGivenOrderThroughEachArmsSlot) {
  Stage stage(context_, {2, 0, 1}, must_pause_);
  stage.launch(std::vector<int>{1, 2, 0});
  EXPECT_THAT(arms_.collect_log(),
              ElementsAre("start 1 slot 0", "start 2 slot 1", "start 0 slot 2"));
  EXPECT_THAT(stage.quit(), SizeIs(kArms));
  EXPECT_THAT(arms_.collect_log(), ElementsAre("quit 0", "quit 1", "quit 2"));
}

TEST_F(StageTest, LaunchesAnArmWhenItIsFirstAsked) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  EXPECT_FALSE(slice(stage, 1).fault);
  EXPECT_FALSE(slice(stage, 1).fault);
  EXPECT_THAT(arms_.collect_log(),
              ElementsAre("start 1 slot 1", "slice 1 case 0", "slice 1 case 0"));
}

TEST_F(StageTest, AFailedLaunchIsTheFaultOfTheSlice) {
  arms_[1].launch_error = "not a program";
  Stage stage(context_, {0, 1, 2}, must_pause_);
  stage.launch(std::vector<int>{0, 1});  // does not throw
  const SliceResult result = slice(stage, 1);
  EXPECT_EQ(result.fault, FaultKind::kLaunch);
  EXPECT_EQ(result.detail, "not a program");
  EXPECT_FALSE(slice(stage, 0).fault) << "the others are not concerned";
}

TEST_F(StageTest, AFailedLaunchIsTheFaultOfEveryCaseOfASuite) {
  arms_[1].launch_error = "not a program";
  Stage stage(context_, {0, 1, 2}, must_pause_);
  const std::vector<SliceRequest> requests(2);
  const std::vector<SliceResult> results = stage.suite_slice(1, requests);
  ASSERT_THAT(results, SizeIs(2));
  for (const SliceResult& result : results) EXPECT_EQ(result.fault, FaultKind::kLaunch);
}

TEST_F(StageTest, ASliceBesideABusyArmIsRepeatedAndTheArmPausedFromThenOn) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  arms_[1].idle_cpu_s = kTooMuchS;
  EXPECT_FALSE(slice(stage, 0).fault);
  EXPECT_EQ(voided_, 1);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("slice 0 case 0", "pause 1", "slice 0 case 0"));

  // It goes on within its own slice, without another pause of those that are quiet.
  EXPECT_FALSE(slice(stage, 1).fault);
  EXPECT_FALSE(slice(stage, 2).fault);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("slice 1 case 0", "pause 1", "slice 2 case 0"));
  EXPECT_EQ(voided_, 1);

  // Nobody is ended while stopped, and the next round stops it from the start.
  stage.quit();
  EXPECT_THAT(arms_.collect_log(), ElementsAre("quit 0", "resume 1", "quit 1", "quit 2"));
  Stage next(context_, {0, 1, 2}, must_pause_);
  launch_all(next);
  EXPECT_FALSE(slice(next, 0).fault);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("pause 1", "slice 0 case 0"));
  EXPECT_EQ(voided_, 1);
}

TEST_F(StageTest, ALittleWorkOfIdleArmsIsAllowed) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  arms_[1].idle_cpu_s = arms_[2].idle_cpu_s = kLittleS;  // each by itself
  arms_[0].slice_cpu_s = kSliceS;                        // its own work is no disturbance
  EXPECT_FALSE(slice(stage, 0).fault);
  EXPECT_EQ(voided_, 0);
  EXPECT_THAT(must_pause_, ElementsAre(false, false, false));
}

// However short the slice is: what an arm does to end its last request takes its time.
TEST_F(StageTest, AShortSliceAllowsAFixedAmountOfWork) {
  arms_[0].answer = good_slice;  // 1 us
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  arms_[1].idle_cpu_s = 190e-6;
  EXPECT_FALSE(slice(stage, 0).fault);
  EXPECT_EQ(voided_, 0);
  arms_[1].idle_cpu_s = 210e-6;
  EXPECT_FALSE(slice(stage, 0).fault);
  EXPECT_EQ(voided_, 1);
}

TEST_F(StageTest, AnArmThatCannotBeQuietenedFailsTheSliceAfterFourAttempts) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  arms_[1].idle_cpu_s = kTooMuchS;
  arms_[1].uses_cpu_paused = true;
  const SliceResult result = slice(stage, 0);
  EXPECT_EQ(result.fault, FaultKind::kProtocol);
  EXPECT_THAT(result.detail, HasSubstr("during 4 attempts"));
  EXPECT_EQ(voided_, 4);
}

TEST_F(StageTest, AfterADeathEveryArmStartsAgain) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  dies_at_slices(1);
  EXPECT_EQ(slice(stage, 1).fault, FaultKind::kCrashed);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("slice 1 case 0", "quit 1", "quit 0", "quit 2"));
  EXPECT_FALSE(slice(stage, 0).fault);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("start 0 slot 0", "slice 0 case 0"));
}

TEST_F(StageTest, AFaultThatLeavesTheArmAliveEndsNobody) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  arms_[1].answer = [](const SliceRequest&) { return faulty_slice(FaultKind::kSkipped); };
  EXPECT_EQ(slice(stage, 1).fault, FaultKind::kSkipped);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("slice 1 case 0"));
}

TEST_F(StageTest, TheOptionalArmDiesAlone) {
  plan_.optional_arm = 2;
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  dies_at_slices(2);
  EXPECT_EQ(slice(stage, 2).fault, FaultKind::kCrashed);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("slice 2 case 0", "quit 2"));
  dies_at_slices(0);
  EXPECT_EQ(slice(stage, 0).fault, FaultKind::kCrashed);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("slice 0 case 0", "quit 0", "quit 1"))
      << "any other takes the rest with it";
}

TEST_F(StageTest, ArmsThatDoNotFitTakeTurns) {
  context_.one_at_a_time = true;
  Stage stage(context_, {0, 1, 2}, must_pause_);
  stage.launch(std::vector<int>{0, 1, 2});
  EXPECT_THAT(arms_.collect_log(), IsEmpty());
  EXPECT_FALSE(slice(stage, 0).fault);
  EXPECT_FALSE(slice(stage, 0).fault);
  EXPECT_FALSE(slice(stage, 2).fault);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("start 0 slot 0", "slice 0 case 0", "slice 0 case 0",
                                               "quit 0", "start 2 slot 2", "slice 2 case 0"));
}

TEST_F(StageTest, LeftoversEndTheArmsAndAreChargedOnce) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  EXPECT_FALSE(stage.collect_leftovers(1)) << "none so far";
  arms_[1].leftovers = 2;
  EXPECT_EQ(stage.collect_leftovers(1),
            "2 process(es) stayed behind after the slice; they were killed");
  EXPECT_THAT(arms_.collect_log(), ElementsAre("quit 1", "quit 0", "quit 2"));
  EXPECT_FALSE(stage.collect_leftovers(1)) << "the arm is gone";
  EXPECT_EQ(stage.quit()[1].leftover_processes, 0) << "not charged again to the whole launch";
}

TEST_F(StageTest, LeftoversOfTheOptionalArmEndItAlone) {
  plan_.optional_arm = 2;
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  arms_[2].leftovers = 1;
  EXPECT_TRUE(stage.collect_leftovers(2));
  EXPECT_THAT(arms_.collect_log(), ElementsAre("quit 2"));
}

TEST_F(StageTest, DeparturesAreOfWhatRanSinceTheLastQuit) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  launch_all(stage);
  dies_at_slices(0);
  slice(stage, 0);
  slice(stage, 0);  // a second launch of arm 0, the only one
  arms_[1].departing_leftovers = 3;
  slice(stage, 1);
  const std::vector<Departure> departures = stage.quit();
  EXPECT_EQ(departures[0].voluntary_switches, 2);
  EXPECT_EQ(departures[0].involuntary_switches, 20);
  EXPECT_EQ(departures[1].voluntary_switches, 2);
  EXPECT_EQ(departures[1].leftover_processes, 3);
  EXPECT_EQ(stage.quit()[0].voluntary_switches, 0);
}

TEST_F(StageTest, ThreadedCasesGetEveryCoreAndOthersTheFirst) {
  context_.cpus = {5, 7};
  Stage stage(context_, {0, 1, 2}, must_pause_);
  slice(stage, 0);
  stage.pin_for(1);  // where it is already
  EXPECT_THAT(arms_.collect_log(), ElementsAre("start 0 slot 0 cpu 5", "slice 0 case 0"));
  stage.pin_for(2);
  stage.pin_for(8);
  slice(stage, 1);
  stage.pin_for(1);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("pin 0 to 5 7", "start 1 slot 1 cpu 5 cpu 7",
                                               "slice 1 case 0", "pin 0 to 5", "pin 1 to 5"));
  stage.pin_for(2);
  stage.quit();
  arms_.collect_log();
  slice(stage, 0);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("start 0 slot 0 cpu 5", "slice 0 case 0"))
      << "every launch begins on one core";
}

TEST_F(StageTest, WithoutALeaseNobodyIsPinned) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  slice(stage, 0);
  stage.pin_for(4);
  EXPECT_THAT(arms_.collect_log(), ElementsAre("start 0 slot 0", "slice 0 case 0"));
}

TEST_F(StageTest, CpuSecondsIncludeArmsThatWereEnded) {
  Stage stage(context_, {0, 1, 2}, must_pause_);
  arms_[0].slice_cpu_s = 0.5;
  arms_[1].slice_cpu_s = 0.25;
  slice(stage, 0);
  slice(stage, 1);
  EXPECT_DOUBLE_EQ(stage.cpu_seconds(), 0.75);
  stage.quit();
  slice(stage, 0);
  EXPECT_DOUBLE_EQ(stage.cpu_seconds(), 1.25);
  arms_[0].cpu_s = -1;  // not known
  EXPECT_DOUBLE_EQ(stage.cpu_seconds(), 0.75);
}

}  // namespace
}  // namespace perfgate::measure
