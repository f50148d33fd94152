// SPDX-License-Identifier: Apache-2.0
// Arms make the same number of iterations for each that was asked for, or are not compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "perfgate/measure/schedule/round.h"
#include "tests/perfgate/measure/fixtures/fake_arms.h"

namespace perfgate::measure {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;
using testing::Not;
using testing::SizeIs;

constexpr std::int64_t kAsked = 1000;

class OtherIterationsTest : public testing::Test {
 protected:
  OtherIterationsTest() {
    plan_.policy.pairs = 2;
    plan_.policy.warmup_slices = 1;
    info_ = context_.matched.cases[0];
    info_.iterations = kAsked;
  }

  // The arm makes this many iterations in its n-th slice, counted from 0, the last for ever after;
  // 0: it does not say.
  void Makes(int arm, std::vector<std::int64_t> made) {
    arms_[arm].answer = [made, n = std::size_t{0}](const SliceRequest& request) mutable {
      SliceResult result = good_slice(request);
      result.ran = made[std::min(n++, made.size() - 1)];
      return result;
    };
  }

  CaseOutcome Measured(const std::vector<int>& order = {0, 1}) {
    Stage stage(context_, {0, 1, 2}, context_.must_pause);
    return measure_case(stage, context_, info_, 0, {}, order, 5);
  }

  void ExpectOther(const std::vector<int>& order, int arm) {
    const CaseOutcome outcome = Measured(order);
    EXPECT_FALSE(outcome.measured);
    ASSERT_THAT(outcome.faults, SizeIs(1));
    EXPECT_EQ(outcome.faults[0].kind, FaultKind::kOtherWorkload);
    EXPECT_EQ(outcome.faults[0].arm, arm);
    EXPECT_EQ(outcome.faults[0].round, 5);
  }

  void ExpectAlike() {
    const CaseOutcome outcome = Measured();
    EXPECT_TRUE(outcome.measured);
    EXPECT_THAT(outcome.faults, IsEmpty());
  }

  MeasurePlan plan_;
  FakeArms arms_{3};
  Context context_ = fake_context(plan_, arms_, 3, {"case"});
  CaseInfo info_;
};

TEST_F(OtherIterationsTest, AsManyAsAskedForIsTheRule) {
  ExpectAlike();
  Makes(1, {kAsked});
  ExpectAlike();
}

TEST_F(OtherIterationsTest, BothMayGoOnInTheSameBatches) {
  Makes(0, {1600});
  Makes(1, {1600});
  ExpectAlike();
  Makes(1, {1609});  // the last batch is cut otherwise
  ExpectAlike();
}

TEST_F(OtherIterationsTest, AnArmThatReportsMoreLooksFaster) {
  Makes(1, {2000});
  ExpectOther({0, 1}, 1);
  EXPECT_THAT(Measured().faults.at(0).detail,
              HasSubstr("2.00 iterations for each that was asked for, and the other arm 1.00"));
}

TEST_F(OtherIterationsTest, TheFirstSliceSaysWhatIsExpected) {
  Makes(0, {2000});
  ExpectOther({0, 1}, 1);
  ExpectOther({1, 0}, 0);
}

TEST_F(OtherIterationsTest, FewerAreOtherTooAndOnePercentIsNot) {
  Makes(1, {500});
  ExpectOther({0, 1}, 1);
  Makes(1, {985});
  ExpectOther({0, 1}, 1);
  Makes(1, {1015});
  ExpectOther({0, 1}, 1);
  for (const std::int64_t made : {991, 1009}) {
    Makes(1, {made});
    ExpectAlike();
  }
}

// The warm-up slice is honest, and so is the first that counts.
TEST_F(OtherIterationsTest, EverySliceIsHeldAgainstTheFirst) {
  Makes(1, {kAsked, kAsked, 1300});
  ExpectOther({0, 1}, 1);
  Makes(1, {kAsked, 1008, 1016});
  ExpectOther({0, 1}, 1);  // by little steps
  Makes(1, {kAsked});
  Makes(0, {kAsked, 1300});
  ExpectOther({0, 1}, 0);
}

// Arms that run by time ask for other numbers.
TEST_F(OtherIterationsTest, IsOfWhatTheArmItselfWasAskedFor) {
  info_.arm_iterations = {1000, 3000};
  Makes(0, {2000});
  Makes(1, {6000});
  ExpectAlike();
  Makes(1, {2000});
  ExpectOther({0, 1}, 1);
}

TEST_F(OtherIterationsTest, AnOptionalArmIsLostAlone) {
  plan_.optional_arm = 2;
  Makes(2, {1300});
  const CaseOutcome outcome = Measured({0, 1, 2});
  ASSERT_TRUE(outcome.measured);
  EXPECT_THAT(outcome.lost, ElementsAre(2));
  EXPECT_THAT(outcome.measured->values[0][2], Each(IsNan()));
  EXPECT_THAT(outcome.measured->values[0][1], Each(Not(IsNan())));
  EXPECT_THAT(outcome.faults, ElementsAre(Field(&Fault::kind, FaultKind::kOtherWorkload)));
}

}  // namespace
}  // namespace perfgate::measure
