// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/layout_draw.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "perfgate/base/error.h"

namespace perfgate::measure {
namespace {

MeasurePlan PlanOf(const std::vector<int>& counts) {
  MeasurePlan plan;
  for (const int count : counts) {
    ArmPlan arm;
    for (int i = 1; i <= count; ++i) arm.layouts.push_back({i, {}});
    plan.arms.push_back(arm);
  }
  return plan;
}

TEST(LayoutDraw, RunsEveryLayoutOnceAndThenRefuses) {
  const MeasurePlan plan = PlanOf({40, 40});
  LayoutDraw draw(1, plan);
  std::set<int> seen[2];
  for (int round = 0; round < 40; ++round) {
    const std::vector<int> drawn = draw.Draw();
    for (std::size_t arm = 0; arm < 2; ++arm) EXPECT_TRUE(seen[arm].insert(drawn[arm]).second);
  }
  EXPECT_THROW(draw.Draw(), std::logic_error);
}

// One order for both arms would couple them: layouts of one seed resemble each other.
TEST(LayoutDraw, ArmsDrawForThemselves) {
  const MeasurePlan plan = PlanOf({40, 40});
  int same = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    LayoutDraw draw(seed, plan);
    for (int round = 0; round < 40; ++round) {
      const std::vector<int> drawn = draw.Draw();
      same += drawn[0] == drawn[1] ? 1 : 0;
    }
  }
  // One in 40 of 4,000 by chance, with an SD of 10.
  EXPECT_GT(same, 50);
  EXPECT_LT(same, 150);
}

TEST(LayoutDraw, ASeedReplaysIt) {
  const MeasurePlan plan = PlanOf({9, 5});
  LayoutDraw one(3, plan), again(3, plan), other(4, plan);
  bool differs = false;
  for (int round = 0; round < 5; ++round) {
    const std::vector<int> drawn = one.Draw();
    EXPECT_EQ(drawn, again.Draw());
    differs = differs || drawn != other.Draw();
  }
  EXPECT_TRUE(differs);
}

TEST(LayoutDraw, ReusesThemWhereThePolicySaysSo) {
  MeasurePlan plan = PlanOf({3, 0});
  plan.policy.reuse_layouts = true;
  LayoutDraw draw(1, plan);
  for (int turn = 0; turn < 4; ++turn) {
    std::set<int> seen;
    for (int round = 0; round < 3; ++round) {
      const std::vector<int> drawn = draw.Draw();
      EXPECT_EQ(drawn[1], -1);
      seen.insert(drawn[0]);
    }
    EXPECT_EQ(seen.size(), 3U);
  }
}

TEST(RequireLayouts, NamesTheCommandThatLinksMore) {
  MeasurePlan plan = PlanOf({40, 12});
  EXPECT_EQ(RoundsOfLayouts(plan), 12);
  EXPECT_NO_THROW(RequireLayouts(plan, 12));
  try {
    RequireLayouts(plan, 13);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    EXPECT_NE(std::string(error.what()).find("perfgate relink --count 13"), std::string::npos);
  }
  plan.policy.reuse_layouts = true;
  EXPECT_NO_THROW(RequireLayouts(plan, 13));
  EXPECT_EQ(RoundsOfLayouts(PlanOf({0, 0})), std::nullopt);
}

}  // namespace
}  // namespace perfgate::measure
