// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/round.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tests/perfgate/measure/fixtures/fake_arms.h"

namespace perfgate::measure {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;
using testing::SizeIs;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kRound = 7;

// Two arms A = 0 and B = 1, or three; the n-th slice of an arm takes n seconds an iteration.
class RoundTest : public testing::Test {
 protected:
  RoundTest() {
    plan_.policy.pairs = 4;
    plan_.policy.warmup_slices = 1;
    for (int arm = 0; arm < kArms; ++arm) {
      arms_[arm].answer = [this, arm](const SliceRequest& request) {
        return numbered(arm, request);
      };
    }
    for (const char* name : {"counted", "score"}) {
      context_.matched.metrics.emplace_back();
      context_.matched.metrics.back().name = name;
    }
    context_.matched.metrics[kCounted].kind = Kind::kRate;
    context_.matched.metrics[kScore].kind = Kind::kScore;
    cases_ = context_.matched.cases;
    for (CaseInfo& info : cases_) info.iterations = 3;
    calibrated_.resize(cases_.size());
  }

  SliceResult numbered(int arm, const SliceRequest& request) {
    SliceResult result = good_slice(request);
    result.real_s = ++slices_[Index(arm)];
    return result;
  }

  // The n-th slice of the arm, counted from 1, is this one; the others are good.
  void fails_at(int arm, int n, const SliceResult& failure) {
    arms_[arm].answer = [this, arm, n, failure](const SliceRequest& request) {
      SliceResult result = numbered(arm, request);
      return slices_[Index(arm)] == n ? failure : result;
    };
  }
  void reports(int arm, std::vector<std::pair<std::string, double>> counters) {
    arms_[arm].answer = [this, arm, counters](const SliceRequest& request) {
      SliceResult result = numbered(arm, request);
      result.counters = counters;
      return result;
    };
  }

  CaseOutcome measured(const std::vector<int>& order) {
    return measure_case(stage_, context_, cases_[0], 0, calibrated_[0], order, kRound);
  }
  std::vector<CaseOutcome> suite_measured(const std::vector<int>& order) {
    return measure_suite(stage_, context_, cases_, std::vector<std::size_t>{0, 1},
                         context_.matched.ids, calibrated_, order, kRound);
  }

  // The arms in the order of their slices: "ABBA".
  std::string slice_order() {
    std::string order;
    for (const std::string& line : arms_.collect_log()) {
      if (line.starts_with("slice ")) order += static_cast<char>('A' + (line[6] - '0'));
    }
    return order;
  }

  static constexpr int kArms = 3;
  static constexpr std::size_t kRealTime = 0, kCounted = 1, kScore = 2;
  MeasurePlan plan_;
  FakeArms arms_{kArms};
  Context context_ = fake_context(plan_, arms_, kArms, {"case", "other"});
  Stage stage_{context_, {0, 1, 2}, context_.must_pause};
  std::vector<CaseInfo> cases_;
  std::vector<Calibrated> calibrated_;
  std::array<int, kArms> slices_{};
};

TEST_F(RoundTest, EveryArmIsFirstEquallyOften) {
  const CaseOutcome outcome = measured({0, 1});
  EXPECT_EQ(slice_order(),
            "AB"
            "ABBAABBA")
      << "warm-up, then pairs";
  ASSERT_TRUE(outcome.measured);
  EXPECT_EQ(outcome.measured->first_arm, 0);
  measured({1, 0});
  EXPECT_EQ(slice_order(),
            "BA"
            "BAABBAAB");
  measured({2, 0, 1});
  EXPECT_EQ(slice_order(),
            "CAB"
            "CABBACCABBAC");
}

TEST_F(RoundTest, WarmUpSlicesDoNotCount) {
  plan_.policy.warmup_slices = 2;
  const CaseOutcome outcome = measured({0, 1});
  ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcome.measured->values[kRealTime][0], ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(outcome.measured->values[kRealTime][1], ElementsAre(3, 4, 5, 6));
  EXPECT_DOUBLE_EQ(outcome.timed_s, 2 * 3 * (3 + 4 + 5 + 6)) << "arms x iterations x seconds";
  EXPECT_THAT(outcome.faults, IsEmpty());
}

TEST_F(RoundTest, WithoutWarmUpEverySliceCounts) {
  plan_.policy.warmup_slices = 0;
  EXPECT_THAT(measured({0, 1}).measured->values[kRealTime][1], ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(slice_order(), "ABBAABBA");
}

TEST_F(RoundTest, AFaultEndsTheCaseAtOnce) {
  fails_at(1, 3, faulty_slice(FaultKind::kError, "bad sum"));
  const CaseOutcome outcome = measured({0, 1});
  EXPECT_FALSE(outcome.measured);
  EXPECT_THAT(outcome.lost, testing::IsEmpty());
  EXPECT_EQ(slice_order(), "ABABB");
  ASSERT_THAT(outcome.faults, SizeIs(1));
  EXPECT_EQ(outcome.faults[0].kind, FaultKind::kError);
  EXPECT_EQ(outcome.faults[0].detail, "bad sum");
  EXPECT_EQ(outcome.faults[0].arm, 1);
  EXPECT_EQ(outcome.faults[0].round, kRound);
  EXPECT_EQ(outcome.faults[0].case_index, 0U);
}

TEST_F(RoundTest, AFaultInAWarmUpSliceIsAFault) {
  fails_at(0, 1, faulty_slice(FaultKind::kCrashed));
  EXPECT_FALSE(measured({0, 1}).measured);
  EXPECT_EQ(slice_order(), "A");
}

TEST_F(RoundTest, WithoutTheOptionalArmTheOthersGoOn) {
  plan_.optional_arm = 2;
  fails_at(2, 2, faulty_slice(FaultKind::kCrashed));
  const CaseOutcome outcome = measured({0, 2, 1});
  EXPECT_EQ(slice_order(),
            "ACB"
            "ACB"
            "BA"
            "AB"
            "BA");
  EXPECT_THAT(outcome.lost, testing::SizeIs(1));
  ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcome.measured->values[kRealTime][0], ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(outcome.measured->values[kRealTime][1], ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(outcome.measured->values[kRealTime][2], Each(IsNan()));
  ASSERT_THAT(outcome.faults, SizeIs(1));
  EXPECT_EQ(outcome.faults[0].arm, 2);
}

// Alternatives: whichever fails is left out, as long as two are left.
TEST_F(RoundTest, WhereEveryArmIsOptionalTwoAreEnough) {
  plan_.optional_arm = kEveryArm;
  fails_at(0, 2, faulty_slice(FaultKind::kCrashed));
  const CaseOutcome outcome = measured({0, 1, 2});
  EXPECT_EQ(slice_order(),
            "ABC"
            "ABC"
            "CB"
            "BC"
            "CB");
  EXPECT_THAT(outcome.lost, ElementsAre(0));
  ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcome.measured->values[kRealTime][1], ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(outcome.measured->values[kRealTime][0], Each(IsNan()));
}

TEST_F(RoundTest, WhereEveryArmIsOptionalOneAloneIsNotMeasured) {
  plan_.optional_arm = kEveryArm;
  fails_at(0, 2, faulty_slice(FaultKind::kCrashed));
  fails_at(2, 3, faulty_slice(FaultKind::kError));
  const CaseOutcome outcome = measured({0, 1, 2});
  EXPECT_FALSE(outcome.measured);
  EXPECT_THAT(outcome.lost, ElementsAre(0, 2));
  EXPECT_THAT(outcome.faults, SizeIs(2));
}

TEST_F(RoundTest, EveryArmMayHaveItsOwnIterations) {
  CaseInfo info;
  info.iterations = 3;
  EXPECT_EQ(IterationsOf(info, 1), 3);
  info.arm_iterations = {5, 7};
  EXPECT_EQ(IterationsOf(info, 1), 7);
}

TEST_F(RoundTest, EveryArmsCountersStandAtTheirMetric) {
  reports(0, {{"unknown", 1}, {"score", -2}, {"counted", 8}});
  const CaseOutcome outcome = measured({0, 1});
  ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcome.measured->values[kCounted][0], Each(8));
  EXPECT_THAT(outcome.measured->values[kScore][0], Each(-2)) << "a score may be negative";
  EXPECT_THAT(outcome.measured->values[kScore][1], Each(IsNan())) << "not reported";
}

TEST_F(RoundTest, ValuesOfAnArmThatMeansSomethingElseAreLeftOut) {
  context_.matched.redeclared.emplace(kCounted, 1);
  reports(0, {{"counted", 8}});
  reports(1, {{"counted", 0}});  // would be bad
  const CaseOutcome outcome = measured({0, 1});
  ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcome.measured->values[kCounted][0], Each(8));
  EXPECT_THAT(outcome.measured->values[kCounted][1], Each(IsNan()));
}

TEST_F(RoundTest, ValuesThatCannotBeAreFaults) {
  struct {
    const char* counter;
    double value;
    const char* detail;
  } const kBad[] = {{"counted", 0, "counted is 0.000000"},
                    {"counted", -1, "must be positive"},
                    {"counted", kNan, "counted is not finite"},
                    {"score", std::numeric_limits<double>::infinity(), "score is not finite"}};
  for (const auto& bad : kBad) {
    reports(1, {{bad.counter, bad.value}});
    const CaseOutcome outcome = measured({0, 1});
    EXPECT_FALSE(outcome.measured);
    ASSERT_THAT(outcome.faults, SizeIs(1)) << bad.detail;
    EXPECT_EQ(outcome.faults[0].kind, FaultKind::kBadValue);
    EXPECT_EQ(outcome.faults[0].arm, 1);
    EXPECT_THAT(outcome.faults[0].detail, HasSubstr(bad.detail));
  }
}

TEST_F(RoundTest, LeftoversAreLookedForAtTheFirstAndTheLastSlice) {
  arms_[1].leftovers = 1;
  const CaseOutcome first = measured({0, 1});
  EXPECT_FALSE(first.measured);
  EXPECT_EQ(slice_order(), "AB");
  ASSERT_THAT(first.faults, SizeIs(1));
  EXPECT_EQ(first.faults[0].kind, FaultKind::kLeftover);
  EXPECT_EQ(first.faults[0].arm, 1);

  arms_[1].leftovers = 0;
  slices_ = {};
  arms_[1].answer = [this](const SliceRequest& request) {
    SliceResult result = numbered(1, request);
    arms_[1].leftovers = slices_[1] == 5 ? 1 : 0;  // the fourth that counts
    return result;
  };
  EXPECT_FALSE(measured({0, 1}).measured) << "the next case would be blamed";
  EXPECT_EQ(slice_order(),
            "AB"
            "ABBAAB"
            "B");
}

TEST_F(RoundTest, WithoutWarmUpLeftoversAreLookedForAtTheFirstSliceThatCounts) {
  plan_.policy.warmup_slices = 0;
  arms_[0].leftovers = 1;
  EXPECT_FALSE(measured({0, 1}).measured);
  EXPECT_EQ(slice_order(), "A");
}

TEST_F(RoundTest, LeftoversOfTheOptionalArmLoseItAlone) {
  plan_.optional_arm = 1;
  arms_[1].leftovers = 1;
  const CaseOutcome outcome = measured({0, 1});
  ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcome.lost, testing::SizeIs(1));
  EXPECT_EQ(slice_order(),
            "AB"
            "AAAA");
}

TEST_F(RoundTest, RepeatedSlicesAreCounted) {
  stage_.launch(std::vector<int>{0, 1});
  arms_[1].idle_cpu_s = 1;
  const CaseOutcome outcome = measured({0, 1});
  ASSERT_TRUE(outcome.measured);
  EXPECT_EQ(outcome.measured->void_slices, 1) << "paused after the first";
}

TEST_F(RoundTest, EveryProcessOfASuiteRunsAllCases) {
  plan_.policy.pairs = 2;
  const std::vector<CaseOutcome> outcomes = suite_measured({0, 1});
  EXPECT_EQ(slice_order(),
            "AABB"
            "AABB"
            "BBAA");
  ASSERT_THAT(outcomes, SizeIs(2));
  EXPECT_THAT(outcomes[0].measured->values[kRealTime][1], ElementsAre(3, 5));
  EXPECT_THAT(outcomes[1].measured->values[kRealTime][1], ElementsAre(4, 6));
  EXPECT_EQ(outcomes[1].measured->case_index, 1U);
}

TEST_F(RoundTest, ACaseOfASuiteThatFailsIsNotAskedForAgain) {
  plan_.policy.pairs = 2;
  fails_at(1, 1, faulty_slice(FaultKind::kSkipped));  // the first case
  const std::vector<CaseOutcome> outcomes = suite_measured({0, 1});
  EXPECT_EQ(slice_order(),
            "AABB"
            "AB"
            "BA");
  EXPECT_FALSE(outcomes[0].measured);
  EXPECT_THAT(outcomes[0].faults, SizeIs(1));
  ASSERT_TRUE(outcomes[1].measured);
  EXPECT_THAT(outcomes[1].measured->values[kRealTime][0], ElementsAre(3, 4));
}

TEST_F(RoundTest, ASuiteWithoutCasesLeftEnds) {
  arms_[0].answer = [](const SliceRequest&) { return faulty_slice(FaultKind::kSkipped); };
  for (const CaseOutcome& outcome : suite_measured({0, 1})) EXPECT_FALSE(outcome.measured);
  EXPECT_EQ(slice_order(), "AA");
}

TEST_F(RoundTest, TheOptionalArmOfASuiteIsAskedForTheCasesThatItStillHas) {
  plan_.policy.pairs = 3;
  plan_.optional_arm = 2;
  context_.matched.ids[0][2].reset();                 // lacks the first case
  fails_at(2, 2, faulty_slice(FaultKind::kSkipped));  // and loses the second one
  const std::vector<CaseOutcome> outcomes = suite_measured({2, 0, 1});
  EXPECT_EQ(slice_order(),
            "CAABB"
            "CAABB"
            "BBAA"
            "AABB")
      << "the others go on after it has nothing left";
  EXPECT_THAT(outcomes[0].lost, testing::IsEmpty());
  EXPECT_THAT(outcomes[1].lost, testing::ElementsAre(2));
  for (const CaseOutcome& outcome : outcomes) ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcomes[1].measured->values[kRealTime][2], Each(IsNan()));
}

TEST_F(RoundTest, KeepsBothClocksOfEverySlice) {
  for (int arm = 0; arm < 2; ++arm) {
    arms_[arm].answer = [arm](const SliceRequest& request) {
      SliceResult result = good_slice(request);
      result.total_s = 0.0123456789;
      result.search_s = 0.001;
      result.wall_s = arm == 0 ? 0.0200004 : 0.03;
      result.waited_s = arm == 0 ? 0 : 0.0051234567;
      return result;
    };
  }
  const CaseOutcome outcome = measured({0, 1});
  ASSERT_TRUE(outcome.measured);
  ASSERT_THAT(outcome.measured->slice_wall_s, SizeIs(context_.listings.size()));
  EXPECT_THAT(outcome.measured->slice_wall_s[0], Each(0.02));
  EXPECT_THAT(outcome.measured->slice_wall_s[1], Each(0.024877));
  EXPECT_THAT(outcome.measured->slice_timed_s[1], Each(0.013346));
}

TEST_F(RoundTest, KeepsNoWallOfAProcessThatRanOtherCasesToo) {
  for (int arm = 0; arm < 2; ++arm) {
    arms_[arm].answer = [](const SliceRequest& request) {
      SliceResult result = good_slice(request);
      result.has_wall = false;
      return result;
    };
  }
  const CaseOutcome outcome = measured({0, 1});
  ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcome.measured->slice_wall_s, IsEmpty());
}

TEST_F(RoundTest, OnlyTheFirstArmSaysThatResultsAreChecked) {
  for (const int checking : {0, 1}) {
    for (int arm = 0; arm < 2; ++arm) {
      arms_[arm].answer = [arm, checking](const SliceRequest& request) {
        SliceResult result = good_slice(request);
        result.checked = arm == checking;
        return result;
      };
    }
    EXPECT_EQ(measured({0, 1}).checked, std::set<int>{checking});
  }
}

}  // namespace
}  // namespace perfgate::measure
