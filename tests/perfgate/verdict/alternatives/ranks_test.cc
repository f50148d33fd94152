// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perfgate {
namespace {

std::string RanksFrom(std::size_t count, const std::vector<std::pair<int, int>>& faster) {
  CertainlyFaster certain(count);
  for (const auto& [x, y] : faster) {
    certain.faster[static_cast<std::size_t>(x) * count + static_cast<std::size_t>(y)] = true;
  }
  std::string text;
  for (const RankRange& range : PossibleRanks(certain)) {
    text += std::to_string(range.lo) + "-" + std::to_string(range.hi) + " ";
  }
  return text;
}

TEST(Ranks, OfWhatIsKnown) {
  EXPECT_EQ(RanksFrom(0, {}), "");
  EXPECT_EQ(RanksFrom(1, {}), "1-1 ");
  EXPECT_EQ(RanksFrom(4, {}), "1-4 1-4 1-4 1-4 ");
  EXPECT_EQ(RanksFrom(3, {{0, 1}, {0, 2}, {1, 2}}), "1-1 2-2 3-3 ");
  EXPECT_EQ(RanksFrom(3, {{0, 2}}), "1-2 1-3 2-3 ");
  // What is faster than something faster is faster.
  EXPECT_EQ(RanksFrom(3, {{0, 1}, {1, 2}}), "1-1 2-2 3-3 ");
  EXPECT_EQ(RanksFrom(4, {{3, 0}, {0, 1}, {0, 2}}), "2-2 3-4 3-4 1-1 ");
}

// Whatever intervals leave open, the true rank is among those that they leave possible.
TEST(Ranks, EncloseTheTruth) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t count = 2 + random() % 7;
    std::vector<std::size_t> place(count);
    for (std::size_t i = 0; i < count; ++i) place[i] = i;
    std::shuffle(place.begin(), place.end(), random);
    CertainlyFaster certain(count);
    for (std::size_t x = 0; x < count; ++x) {
      for (std::size_t y = 0; y < count; ++y) {
        certain.faster[x * count + y] = place[x] < place[y] && random() % 3 == 0;
      }
    }
    const std::vector<RankRange> found = PossibleRanks(certain);
    for (std::size_t x = 0; x < count; ++x) {
      EXPECT_LE(found[x].lo, static_cast<int>(place[x]) + 1);
      EXPECT_GE(found[x].hi, static_cast<int>(place[x]) + 1);
    }
  }
}

}  // namespace
}  // namespace perfgate
