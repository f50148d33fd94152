// SPDX-License-Identifier: Apache-2.0
// Series with and without changes. The rates that docs/history.md tells are measured here.
#include "perfgate/stats/change/change_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>

#include "perfgate/stats/change/best_split.h"

namespace perfgate::stats {
namespace {

using Series = std::vector<double>;

Series NormalSeries(std::uint64_t seed, std::size_t n, double sd, double lag = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, sd);
  Series x(n);
  double state = normal(random);
  for (double& value : x) {
    state = lag * state + std::sqrt(1 - lag * lag) * normal(random);
    value = state;
  }
  return x;
}

void Shift(Series& x, std::size_t from, double by) {
  for (std::size_t i = from; i < x.size(); ++i) x[i] += by;
}

// 100 A/A series of 100 points: at most one has a change.
int FalseAlarms(const std::function<Series(std::uint64_t)>& draw, int series) {
  int alarms = 0;
  for (int i = 0; i < series; ++i) {
    alarms += FindChangePoints(draw(static_cast<std::uint64_t>(i) + 1)).empty() ? 0 : 1;
  }
  return alarms;
}

TEST(FindChangePoints, RaisesAtMostOneFalseAlarmIn100SeriesOf100Points) {
  EXPECT_LE(FalseAlarms([](std::uint64_t seed) { return NormalSeries(seed, 100, 0.02); }, 100), 1);
  // Whatever the distribution, as long as the order is random: at most alpha.
  const int heavy = FalseAlarms(
      [](std::uint64_t seed) {
        std::mt19937_64 random(seed + 1000);
        std::student_t_distribution<double> tail(2);
        Series x(100);
        for (double& value : x) value = 0.02 * tail(random);
        return x;
      },
      1000);
  EXPECT_LE(heavy, 12) << "alpha is 0.5 %, and 13 of 1000 has a chance of 0.2 %";
}

TEST(FindChangePoints, SeesThroughAWanderingMachine) {
  const int alarms =
      FalseAlarms([](std::uint64_t seed) { return NormalSeries(seed + 50, 100, 0.02, 0.4); }, 200);
  EXPECT_LE(alarms, 12) << "as single values in random order it would be about 60";
}

TEST(FindChangePoints, FindsShiftsOfFivePercentWithinTwoCommits) {
  constexpr int kSeries = 300;
  int found = 0;
  int within = 0;
  int covered = 0;
  int more = 0;
  for (int i = 0; i < kSeries; ++i) {
    std::mt19937_64 random(static_cast<std::uint64_t>(i) + 7);
    const std::size_t at = std::uniform_int_distribution<std::size_t>(10, 90)(random);
    Series x = NormalSeries(static_cast<std::uint64_t>(i) + 5000, 100, 0.02);
    Shift(x, at, i % 2 == 0 ? std::log(1.05) : -std::log(1.05));
    const std::vector<ChangePoint> changes = FindChangePoints(x);
    more += changes.size() > 1 ? 1 : 0;
    for (const ChangePoint& change : changes) {
      const std::size_t off = change.index > at ? change.index - at : at - change.index;
      if (off > 10) continue;
      ++found;
      within += off <= 2 ? 1 : 0;
      covered += change.range_lo <= at && at <= change.range_hi ? 1 : 0;
      EXPECT_LE(change.range_lo, change.index);
      EXPECT_GE(change.range_hi, change.index);
      break;
    }
  }
  RecordProperty("found", found);
  RecordProperty("within", within);
  RecordProperty("covered", covered);
  EXPECT_GE(found, kSeries * 99 / 100);
  EXPECT_GE(within, kSeries * 95 / 100);
  EXPECT_GE(covered, kSeries * 92 / 100);
  EXPECT_LE(more, kSeries * 3 / 100);
}

TEST(FindChangePoints, FindsSeveralAndTellsTheirLevels) {
  Series x = NormalSeries(3, 120, 0.01);
  Shift(x, 40, 0.10);
  Shift(x, 80, -0.15);
  const std::vector<ChangePoint> changes = FindChangePoints(x);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].index, 40U);
  EXPECT_EQ(changes[1].index, 80U);
  EXPECT_NEAR(changes[0].before, 0, 0.01);
  EXPECT_NEAR(changes[0].after, 0.10, 0.01);
  EXPECT_EQ(changes[1].before, changes[0].after);
  EXPECT_NEAR(changes[1].after, -0.05, 0.01);
  EXPECT_LE(changes[0].p, 0.005);
  EXPECT_TRUE(FindChangePoints(x, {.least_shift = 0.5}).empty());
}

TEST(FindChangePoints, OneBadDayIsNoChange) {
  Series x = NormalSeries(9, 60, 0.01);
  for (const std::size_t i : {20U, 21U, 45U}) x[i] += 3;
  EXPECT_TRUE(FindChangePoints(x).empty());
}

TEST(FindChangePoints, IsTheSameEveryTime) {
  Series x = NormalSeries(4, 100, 0.02);
  Shift(x, 50, 0.03);
  const auto one = FindChangePoints(x, {.seed = 5});
  const auto other = FindChangePoints(x, {.seed = 5});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].p, other[0].p);
  // Another unit and another zero: the same places.
  for (double& value : x) value = 100 - 2 * value;
  EXPECT_EQ(FindChangePoints(x, {.seed = 5})[0].index, one[0].index);
}

TEST(FindChangePoints, TakesAnySeries) {
  EXPECT_TRUE(FindChangePoints({}).empty());
  EXPECT_TRUE(FindChangePoints(Series{1}).empty());
  EXPECT_TRUE(FindChangePoints(Series(7, 1.0)).empty());
  EXPECT_TRUE(FindChangePoints(Series(100, 1.0)).empty());
  Series step(40, 1.0);
  Shift(step, 20, 1);
  const auto changes = FindChangePoints(step);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].index, 20U);
  EXPECT_EQ(changes[0].range_lo, 20U);
  EXPECT_EQ(changes[0].range_hi, 20U);
}

TEST(FindChangePoints, RefusesBadInput) {
  const Series good(20, 1.0);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Series x = good;
    x[3] = bad;
    EXPECT_THROW(FindChangePoints(x), std::invalid_argument);
  }
  EXPECT_THROW(FindChangePoints(good, {.alpha = 0}), std::invalid_argument);
  EXPECT_THROW(FindChangePoints(good, {.alpha = 0.5}), std::invalid_argument);
  EXPECT_THROW(FindChangePoints(good, {.shortest = 1}), std::invalid_argument);
  EXPECT_THROW(FindChangePoints(good, {.least_shift = -1}), std::invalid_argument);
}

TEST(SplitChance, IsUniformWithoutAChange) {
  constexpr int kSeries = 1000;
  int below = 0;
  for (int i = 0; i < kSeries; ++i) {
    const Series x = NormalSeries(static_cast<std::uint64_t>(i) + 90000, 30, 1);
    below += SplitChance(Clipped(x), 4, 1, 199, 3) <= 0.1 ? 1 : 0;
  }
  EXPECT_NEAR(below, kSeries / 10, 35);
}

TEST(BlockLength, GrowsWithTheAutocorrelation) {
  EXPECT_LE(BlockLength(NormalSeries(1, 200, 1)), 4U);
  const std::size_t some = BlockLength(NormalSeries(1, 200, 1, 0.5));
  const std::size_t much = BlockLength(NormalSeries(1, 200, 1, 0.9));
  EXPECT_GT(some, 4U);
  EXPECT_GT(much, some);
  EXPECT_LE(much, 25U);
}

}  // namespace
}  // namespace perfgate::stats
