// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/round_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tests/perfgate/measure/fixtures/fake_arms.h"

namespace perfgate::measure {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kThreeArms = 3;
constexpr std::uint64_t kSeed = 0x5eed;

// A session of three fake arms with four cases, prepared: every case is open.
class RoundRunnerTest : public testing::Test {
 protected:
  RoundRunnerTest() {
    plan_.arms.resize(kThreeArms);
    plan_.policy.pairs = 1;
    plan_.policy.rounds = 1;  // by count: no budget
    hooks_.progress = [this](const Progress& progress) { progress_.push_back(progress); };
    fill_context(kThreeArms, {"a/x", "b/x", "a/y", "b/y"}, run_.context);
    state_.session.cases = run_.context.matched.cases;
    for (CaseInfo& info : state_.session.cases) info.iterations = 1;
    state_.open.assign(state_.session.cases.size(), true);
    run_.calibrated.assign(state_.session.cases.size(), {});
  }

  void run_rounds(RoundRunner& runner, int rounds) {
    for (int i = 0; i < rounds; ++i) EXPECT_EQ(runner.RunRound(), RoundEnd::kWhole);
  }

  // From now on the budget has ended, with what a round may take beyond it.
  void spend_budget() {
    plan_.policy.rounds = 0;
    run_.budget_s = 1;
    run_.start = Clock::now() - std::chrono::seconds(10);
  }

  static std::vector<std::size_t> case_order(const RoundInfo& round) {
    std::vector<std::size_t> order;
    for (const CaseRound& measured : round.cases) order.push_back(measured.case_index);
    return order;
  }

  MeasurePlan plan_;
  Hooks hooks_;
  FakeArms arms_{kThreeArms};
  PreparedRun run_{plan_, hooks_, arms_.launcher()};
  RunState state_;
  const Session& session_ = state_.session;
  std::vector<Progress> progress_;
};

// The order of the draws is what a recorded seed replays: a release that changes it cannot replay
// sessions of the release before.
TEST_F(RoundRunnerTest, ASeedGivesACoinThenAnOrderThenFirstSlots) {
  constexpr std::size_t kOrdersOfThree[][kThreeArms] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 5);
  RandomStream random(kSeed);
  ASSERT_THAT(session_.rounds, SizeIs(5));
  for (const RoundInfo& round : session_.rounds) {
    EXPECT_EQ(round.coin, random.below(6));
    std::vector<std::size_t> order = {0, 1, 2, 3};
    random.shuffle(std::span(order));
    EXPECT_EQ(case_order(round), order);
    for (const CaseRound& measured : round.cases) {
      const std::size_t first_role = kOrdersOfThree[random.below(6)][0];
      EXPECT_EQ(measured.first_arm, static_cast<int>(kOrdersOfThree[round.coin][first_role]));
    }
  }
}

TEST_F(RoundRunnerTest, TheCoinDecidesWhoStartsFirstAndThroughWhichPath) {
  RoundRunner runner(kSeed, run_, state_);
  std::set<std::vector<std::string>> starts;
  for (int i = 0; i < 40; ++i) {
    runner.RunRound();
    std::vector<std::string> log = arms_.collect_log();
    log.resize(kThreeArms);
    starts.insert(log);
  }
  EXPECT_THAT(starts, SizeIs(6));
  EXPECT_THAT(starts, Contains(ElementsAre("start 2 slot 0", "start 0 slot 1", "start 1 slot 2")));
}

TEST_F(RoundRunnerTest, ClosedCasesAreNotDrawn) {
  state_.open = {false, true, false, true};
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 1);
  RandomStream random(kSeed);
  random.below(6);
  std::vector<std::size_t> order = {1, 3};
  random.shuffle(std::span(order));
  EXPECT_EQ(case_order(session_.rounds[0]), order);
}

TEST_F(RoundRunnerTest, AFailedCaseIsClosedAndTheOthersGoOn) {
  arms_[1].answer = [](const SliceRequest& request) {
    return request.case_id == 2 ? faulty_slice(FaultKind::kSkipped) : good_slice(request);
  };
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 2);
  EXPECT_THAT(state_.open, ElementsAre(true, true, false, true));
  ASSERT_THAT(session_.faults, SizeIs(1));
  EXPECT_EQ(session_.faults[0].case_index, 2U);
  EXPECT_EQ(session_.faults[0].round, 0);
  EXPECT_THAT(session_.rounds[0].cases, SizeIs(3));
  EXPECT_THAT(session_.rounds[1].cases, SizeIs(3));
}

TEST_F(RoundRunnerTest, ACaseThatTheOptionalArmLosesIsMeasuredOnTheOthers) {
  plan_.optional_arm = 2;
  arms_[2].answer = [](const SliceRequest& request) {
    return request.case_id == 1 ? faulty_slice(FaultKind::kSkipped) : good_slice(request);
  };
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 2);
  EXPECT_THAT(state_.open, Each(true));
  EXPECT_THAT(session_.faults, SizeIs(1)) << "it is not asked again";
  for (const RoundInfo& round : session_.rounds) EXPECT_THAT(round.cases, SizeIs(4));
}

TEST_F(RoundRunnerTest, WhereEveryArmIsOptionalACaseEndsWithLessThanTwo) {
  plan_.optional_arm = kEveryArm;
  for (const int arm : {0, 1}) {
    arms_[arm].answer = [arm](const SliceRequest& request) {
      const bool fails = request.case_id == 1 || (arm == 0 && request.case_id == 2);
      return fails ? faulty_slice(FaultKind::kSkipped) : good_slice(request);
    };
  }
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 2);
  EXPECT_THAT(state_.open, ElementsAre(true, false, true, true));
  EXPECT_THAT(session_.faults, SizeIs(3)) << "nobody is asked again";
  EXPECT_THAT(session_.rounds[1].cases, SizeIs(3));
}

// The first arm cannot be done without, of the two others one is enough.
TEST_F(RoundRunnerTest, WhereOneOfSeveralArmsIsNeededACaseEndsWithTheLastOfThem) {
  plan_.any_of = {1, 2};
  arms_[1].answer = [](const SliceRequest& request) {
    return request.case_id <= 1 ? faulty_slice(FaultKind::kCrashed) : good_slice(request);
  };
  arms_[2].answer = [](const SliceRequest& request) {
    return request.case_id == 1 || request.case_id == 2 ? faulty_slice(FaultKind::kTimeout)
                                                        : good_slice(request);
  };
  arms_[0].answer = [](const SliceRequest& request) {
    return request.case_id == 3 ? faulty_slice(FaultKind::kCrashed) : good_slice(request);
  };
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 3);
  EXPECT_THAT(state_.open, ElementsAre(true, false, true, false));
  EXPECT_THAT(session_.faults, SizeIs(5)) << "nobody is asked again";
  EXPECT_THAT(session_.rounds[2].cases, SizeIs(2));
}

TEST_F(RoundRunnerTest, WhatOutlivesOneOfSeveralArmsLosesItAlone) {
  plan_.any_of = {1, 2};
  arms_[1].departing_leftovers = 1;
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 2);
  EXPECT_THAT(state_.open, Each(true));
  EXPECT_THAT(session_.faults, AllOf(SizeIs(4), Each(Field(&Fault::arm, 1))));
}

TEST_F(RoundRunnerTest, AnArmWithoutOpenCasesIsNotLaunched) {
  plan_.optional_arm = 2;
  for (auto& ids : run_.context.matched.ids) ids[2].reset();
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 1);
  for (const std::string& line : arms_.collect_log()) EXPECT_FALSE(line.starts_with("start 2"));
}

TEST_F(RoundRunnerTest, WhatOutlivesALaunchInvalidatesItsCasesAlone) {
  plan_.launch_of = [](const std::string& name) { return name.substr(0, 1); };  // a or b
  arms_[1].answer = [this](const SliceRequest& request) {
    arms_[1].departing_leftovers = request.case_id % 2 == 1 ? 1 : 0;  // launches of b
    return good_slice(request);
  };
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 1);
  EXPECT_THAT(state_.open, ElementsAre(true, false, true, false));
  ASSERT_THAT(session_.faults, SizeIs(2));
  EXPECT_THAT(session_.faults,
              Each(AllOf(Field(&Fault::kind, FaultKind::kLeftover), Field(&Fault::arm, 1))));
}

TEST_F(RoundRunnerTest, WhatOutlivesTheOptionalArmLosesItAlone) {
  plan_.optional_arm = 2;
  arms_[2].departing_leftovers = 1;
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 2);
  EXPECT_THAT(state_.open, Each(true));
  EXPECT_THAT(session_.faults, SizeIs(4)) << "once per case: the arm is not launched again";
}

// A forecast that was ten times too long must not end a gate whose rounds are short.
TEST_F(RoundRunnerTest, TheForecastFollowsWhatRoundsTook) {
  for (CaseInfo& info : state_.session.cases) info.wall_s = 10;
  const double before_s = RoundS(run_, state_);
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 1);
  EXPECT_GT(before_s, 100);
  EXPECT_NEAR(RoundS(run_, state_), session_.rounds[0].wall_s, 1e-3);
}

TEST_F(RoundRunnerTest, ABudgetThatEndsInARoundKeepsItsFinishedCases) {
  spend_budget();
  RoundRunner runner(kSeed, run_, state_);
  EXPECT_EQ(runner.RunRound(), RoundEnd::kBudgetEnded);
  ASSERT_THAT(session_.rounds, SizeIs(1));
  EXPECT_THAT(session_.rounds[0].cases, SizeIs(1)) << "one at least";
  EXPECT_THAT(state_.open, Each(true));
  EXPECT_THAT(session_.faults, IsEmpty());
}

TEST_F(RoundRunnerTest, ABudgetThatEndsBetweenLaunchesStartsNoOther) {
  plan_.launch_of = [](const std::string& name) { return name; };
  spend_budget();
  RoundRunner runner(kSeed, run_, state_);
  EXPECT_EQ(runner.RunRound(), RoundEnd::kBudgetEnded);
  int starts = 0;
  for (const std::string& line : arms_.collect_log()) starts += line.starts_with("start") ? 1 : 0;
  EXPECT_EQ(starts, kThreeArms);
}

TEST_F(RoundRunnerTest, ASuiteOfProcessesIsMeasuredWhole) {
  run_.context.drivers.assign(kThreeArms, DriverKind::kProcessPerSuite);
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 1);
  EXPECT_THAT(session_.rounds[0].cases, SizeIs(4));
  EXPECT_THAT(progress_, SizeIs(2)) << "once for the suite, once for the round";
}

TEST_F(RoundRunnerTest, ReportsEveryCaseAndTheEndOfTheRound) {
  state_.session.schedule.looks = {1, 9};
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 1);
  ASSERT_THAT(progress_, SizeIs(5));
  for (std::size_t i = 0; i < progress_.size(); ++i) {
    EXPECT_EQ(progress_[i].phase, Progress::Phase::kRound);
    EXPECT_EQ(progress_[i].cases_done, i);
    EXPECT_EQ(progress_[i].round, i < 4 ? 0 : 1);
    EXPECT_EQ(progress_[i].last_round, 9);
    EXPECT_EQ(progress_[i].cases_open, 4U);
    EXPECT_LT(progress_[i].left_s, 0) << "no budget";
  }
}

TEST_F(RoundRunnerTest, SwitchesOfEveryArmAndLaunchAreSummed) {
  plan_.launch_of = [](const std::string& name) { return name; };
  RoundRunner runner(kSeed, run_, state_);
  run_rounds(runner, 1);
  EXPECT_EQ(session_.rounds[0].conditions.voluntary_switches, 4 * kThreeArms);
  EXPECT_EQ(session_.rounds[0].conditions.involuntary_switches, 10 * 4 * kThreeArms);
}

}  // namespace
}  // namespace perfgate::measure
