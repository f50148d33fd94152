// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/looks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

double total(const std::vector<Look>& looks) {
  double sum = 0.0;
  for (const Look& look : looks) {
    sum += look.alpha;
  }
  return sum;
}

void expect_rounds(const std::vector<Look>& looks, const std::vector<int>& rounds) {
  ASSERT_EQ(looks.size(), rounds.size());
  for (std::size_t i = 0; i < looks.size(); ++i) {
    EXPECT_EQ(looks[i].rounds, rounds[i]);
  }
}

TEST(PlanLooks, FullBudgetGivesTheDefaults) {
  for (const int budget : {40, 41, 1000}) {
    const std::vector<Look> looks = plan_looks(0.01, budget);
    const std::vector<Look> defaults = default_looks();
    ASSERT_EQ(looks.size(), defaults.size());
    for (std::size_t i = 0; i < looks.size(); ++i) {
      EXPECT_EQ(looks[i].rounds, defaults[i].rounds);
      // To the last bit: 60 of 20000 flips must be significant at .003 either way.
      EXPECT_EQ(looks[i].alpha, defaults[i].alpha);
    }
  }
}

TEST(PlanLooks, ASmallerBudgetKeepsMembersAndProportions) {
  const std::vector<Look> looks = plan_looks(0.01, 30);
  expect_rounds(looks, {6, 10, 16, 24});
  EXPECT_EQ(looks[0].alpha, 0.0);
  EXPECT_DOUBLE_EQ(looks[1].alpha, 0.01 * 3 / 7);
  EXPECT_DOUBLE_EQ(looks[2].alpha, 0.01 * 2 / 7);
  EXPECT_DOUBLE_EQ(looks[3].alpha, 0.01 * 2 / 7);
  expect_rounds(plan_looks(0.01, 15), {6, 10});
  EXPECT_DOUBLE_EQ(plan_looks(0.01, 15)[1].alpha, 0.01);
}

TEST(PlanLooks, TooSmallABudgetCannotFail) {
  EXPECT_TRUE(plan_looks(0.01, 5).empty());
  EXPECT_TRUE(plan_looks(0.01, 5, true).empty());
  EXPECT_TRUE(plan_looks(0.01, -1).empty());
  for (const int budget : {6, 9}) {
    const std::vector<Look> looks = plan_looks(0.01, budget);
    expect_rounds(looks, {6});
    EXPECT_FALSE(can_fail(looks));
  }
  EXPECT_FALSE(can_fail(plan_looks(0.01, 7, true)));  // 2/2^7 is above 1 %
  EXPECT_TRUE(can_fail(plan_looks(0.01, 8, true)));   // 2/2^8 is .0078
  EXPECT_TRUE(can_fail(default_looks()));
}

TEST(PlanLooks, ANamedNumberOfRoundsIsTheLastLook) {
  const std::vector<Look> thirty = plan_looks(0.01, 30, true);
  expect_rounds(thirty, {6, 10, 16, 24, 30});
  EXPECT_DOUBLE_EQ(thirty.back().alpha, 0.003);
  const std::vector<Look> sixty = plan_looks(0.01, 60, true);
  expect_rounds(sixty, {6, 10, 16, 24, 40, 60});
  EXPECT_DOUBLE_EQ(sixty[4].alpha, 0.01 * 3 / 13);
  EXPECT_DOUBLE_EQ(sixty[5].alpha, 0.01 * 3 / 13);
  expect_rounds(plan_looks(0.01, 40, true), {6, 10, 16, 24, 40});
}

TEST(PlanLooks, ALookThatCouldNeverFailGivesItsShareAway) {
  // At .5 % the look at 10 would have .0015, below 2/1024.
  const std::vector<Look> looks = plan_looks(0.005, 40);
  EXPECT_EQ(looks[1].alpha, 0.0);
  EXPECT_DOUBLE_EQ(looks[2].alpha, 0.005 * 2 / 7);
  EXPECT_DOUBLE_EQ(looks[4].alpha, 0.005 * 3 / 7);
  // Its share is enough to keep the next one alive: only one is taken at a time.
  const std::vector<Look> chain = plan_looks(0.0001, 40);
  EXPECT_EQ(chain[1].alpha, 0.0);
  EXPECT_EQ(chain[2].alpha, 0.0 + chain[2].alpha);
  EXPECT_NEAR(total(chain), 0.0001, 1e-18);
}

TEST(PlanLooks, SpendsAllOfAlphaOrNoneAndNeverBelowTheAttainable) {
  for (const double alpha : {0.5, 0.05, 0.01, 0.004, 0.001, 1e-4, 1e-6, 1e-12}) {
    for (int budget = 6; budget <= 70; ++budget) {
      for (const bool exact : {false, true}) {
        const std::vector<Look> looks = plan_looks(alpha, budget, exact);
        EXPECT_LE(looks.back().rounds, budget);
        EXPECT_EQ(looks.front().rounds, 6);
        int previous = 0;
        for (const Look& look : looks) {
          EXPECT_GT(look.rounds, previous);
          previous = look.rounds;
          EXPECT_TRUE(look.alpha == 0.0 || look.alpha >= std::ldexp(2.0, -look.rounds));
        }
        EXPECT_NEAR(total(looks), can_fail(looks) ? alpha : 0.0, 1e-15);
        if (exact) {
          EXPECT_EQ(looks.back().rounds, budget);
        }
        // None is given up that could have been kept: the last look alone carries all of alpha.
        if (budget >= 10 && alpha >= std::ldexp(2.0, -looks.back().rounds)) {
          EXPECT_TRUE(can_fail(looks)) << alpha << " " << budget;
        }
      }
    }
  }
}

TEST(PlanLooks, RefusesAnAlphaThatIsNoProbability) {
  for (const double alpha : {0.0, 1.0, -0.1, testing::kNaN}) {
    EXPECT_THROW(plan_looks(alpha, 40), std::invalid_argument);
  }
}

}  // namespace
}  // namespace perfgate::stats
