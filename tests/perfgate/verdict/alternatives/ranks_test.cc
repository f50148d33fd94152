// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace perfgate {
namespace {

// The log of the speed-up of x over y is at least `by`.
struct Bound {
  int x = 0;
  int y = 0;
  double by = 1;
};

std::string RanksFrom(std::size_t count, const std::vector<Bound>& known) {
  SpeedUpBounds bounds(count);
  for (const auto& [x, y, by] : known) {
    bounds.log_speed_up[static_cast<std::size_t>(x) * count + static_cast<std::size_t>(y)] = by;
  }
  std::string text;
  for (const RankRange& range : PossibleRanks(bounds)) {
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

// Both are known against 0 alone: 1 is at least 3 faster, 2 at most 2.
TEST(Ranks, OfBoundsThatAddUp) {
  EXPECT_EQ(RanksFrom(3, {{1, 0, 3}, {0, 1, -4}, {2, 0, 1}, {0, 2, -2}}), "3-3 1-1 2-2 ");
  EXPECT_EQ(RanksFrom(3, {{1, 0, 3}, {0, 1, -4}, {2, 0, 1}, {0, 2, -3}}), "3-3 1-2 1-2 ");
}

TEST(Ranks, OfBoundsThatContradictEachOther) {
  EXPECT_EQ(RanksFrom(3, {{0, 1}, {1, 2}, {2, 0}}), "1-3 1-3 1-3 ");
  EXPECT_EQ(RanksFrom(3, {{0, 1}, {1, 0}, {0, 2}, {1, 2}}), "1-2 1-2 3-3 ");
}

// Whatever intervals leave open, the true rank is among those that they leave possible.
TEST(Ranks, EncloseTheTruth) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t count = 2 + random() % 7;
    std::vector<double> log_time(count);
    for (double& value : log_time) value = uniform(random);
    SpeedUpBounds bounds(count);
    for (std::size_t x = 0; x < count; ++x) {
      for (std::size_t y = 0; y < count; ++y) {
        if (x == y || random() % 3 == 0) continue;
        bounds.log_speed_up[x * count + y] = log_time[y] - log_time[x] - 0.2 * uniform(random);
      }
    }
    const std::vector<RankRange> found = PossibleRanks(bounds);
    for (std::size_t x = 0; x < count; ++x) {
      const auto rank = 1 + std::count_if(log_time.begin(), log_time.end(),
                                          [&](double other) { return other < log_time[x]; });
      EXPECT_LE(found[x].lo, rank);
      EXPECT_GE(found[x].hi, rank);
    }
  }
}

}  // namespace
}  // namespace perfgate
