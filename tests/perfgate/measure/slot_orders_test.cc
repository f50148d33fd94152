// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/slot_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace perfgate::measure {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Pair;

// As the standard library counts them.
TEST(SlotOrders, PermutationsAreInLexicographicOrder) {
  for (int arms = 1; arms <= 6; ++arms) {
    std::vector<int> order(static_cast<std::size_t>(arms));
    std::iota(order.begin(), order.end(), 0);
    std::uint64_t p = 0;
    do {
      EXPECT_EQ(Permutation(p++, arms), order);
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(p, PermutationCount(arms));
  }
  EXPECT_EQ(PermutationCount(8), 40320U);
  EXPECT_THAT(Permutation(40319, 8), ElementsAre(7, 6, 5, 4, 3, 2, 1, 0));
}

// Williams (1949): every arm in every place, and after every other one, equally often.
TEST(SlotOrders, WilliamsSquaresAreBalanced) {
  for (int arms = 2; arms <= 8; ++arms) {
    const int rows = arms % 2 == 0 ? arms : 2 * arms;
    std::map<std::pair<int, int>, int> at_place, after;
    for (int row = 0; row < rows; ++row) {
      const std::vector<int> order = WilliamsRow(row, arms);
      std::vector<int> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      for (int arm = 0; arm < arms; ++arm) {
        ASSERT_EQ(sorted[static_cast<std::size_t>(arm)], arm);
        const auto place = static_cast<std::size_t>(arm);
        ++at_place[{order[place], arm}];
        if (place > 0) ++after[{order[place - 1], order[place]}];
      }
      EXPECT_EQ(WilliamsRow(row + rows, arms), order);
    }
    EXPECT_EQ(at_place.size(), static_cast<std::size_t>(arms * arms));
    EXPECT_THAT(at_place, Each(Pair(testing::_, rows / arms)));
    EXPECT_EQ(after.size(), static_cast<std::size_t>(arms * (arms - 1)));
    EXPECT_THAT(after, Each(Pair(testing::_, rows / arms)));
  }
}

TEST(SlotOrders, TwoAndThreeArmsGoForthAndBack) {
  EXPECT_THAT(OrderOfSlot(std::vector{1, 0}, 0), ElementsAre(1, 0));
  EXPECT_THAT(OrderOfSlot(std::vector{1, 0}, 1), ElementsAre(0, 1));
  EXPECT_THAT(OrderOfSlot(std::vector{1, 0}, 2), ElementsAre(1, 0));
  EXPECT_THAT(OrderOfSlot(std::vector{2, 0, 1}, 3), ElementsAre(1, 0, 2));
  EXPECT_THAT(OrderOfSlot(std::vector{2, 0, 1}, -1), ElementsAre(2, 0, 1));
}

// What is drawn is the first row; the others keep the balance, whatever the arms are called.
TEST(SlotOrders, FourSlotsOfFourArmsAreASquare) {
  const std::vector<int> drawn = {7, 3, 5, 0};
  EXPECT_EQ(OrderOfSlot(drawn, -1), drawn);
  EXPECT_EQ(OrderOfSlot(drawn, 0), drawn);
  std::map<std::pair<int, int>, int> after;
  for (int slot = 0; slot < 4; ++slot) {
    const std::vector<int> order = OrderOfSlot(drawn, slot);
    EXPECT_THAT(order, testing::UnorderedElementsAreArray(drawn));
    for (std::size_t place = 1; place < order.size(); ++place) {
      ++after[{order[place - 1], order[place]}];
    }
  }
  EXPECT_EQ(after.size(), 12U);
  EXPECT_THAT(after, Each(Pair(testing::_, 1)));
}

}  // namespace
}  // namespace perfgate::measure
