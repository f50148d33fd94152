// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/simultaneous.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

namespace perfgate::stats {
namespace {

RoundSeries series_of(const std::vector<double>& d) {
  RoundSeries series{.rounds = std::vector<std::size_t>(d.size()), .d = d};
  std::iota(series.rounds.begin(), series.rounds.end(), std::size_t{0});
  return series;
}

RoundSeries drawn(std::mt19937_64& random, int rounds, double centre = 0) {
  std::student_t_distribution<double> noise(3);
  std::vector<double> d;
  for (int r = 0; r < rounds; ++r) d.push_back(centre + noise(random));
  return series_of(d);
}

bool is_within(const Interval& inner, const Interval& outer) {
  return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

// One comparison has no others to hold together with.
TEST(Simultaneous, OfOneIsTheSignedRankInterval) {
  std::mt19937_64 random(1);
  for (const int n : {6, 7, 10, 14}) {
    const RoundSeries one = drawn(random, n);
    const SimultaneousIntervals found = simultaneous_intervals({&one, 1});
    const Interval alone = signed_rank_interval(one.d, 0.025);
    EXPECT_EQ(found.comparisons[0].interval.lo, alone.lo) << n;
    EXPECT_EQ(found.comparisons[0].interval.hi, alone.hi) << n;
    EXPECT_TRUE(found.holds);
    EXPECT_NEAR(found.attained, alone.attained, 1e-12) << "all sign vectors are counted";
  }
}

// A copy of a comparison says nothing that it does not say; Bonferroni would widen both.
TEST(Simultaneous, CopiesCostNothing) {
  std::mt19937_64 random(2);
  const RoundSeries one = drawn(random, 12);
  const std::vector<RoundSeries> copies(20, one);
  const SimultaneousIntervals found = simultaneous_intervals(copies);
  for (const SignedRank& comparison : found.comparisons) {
    EXPECT_EQ(comparison.interval.lo, signed_rank_interval(one.d, 0.025).lo);
  }
}

// By hand: two comparisons of 7 rounds whose rounds order and sign alike in one, and against each
// other in no way. [min, max] of each misses with 2 of 128 sign vectors, of both with 4.
TEST(Simultaneous, CountsSignVectors) {
  const RoundSeries a = series_of({-3, -2, -1, 0.5, 1.5, 2.5, 3.5});
  const RoundSeries b = series_of({3, -2, 1, -0.5, 1.5, -2.5, 3.5});
  const SimultaneousIntervals found = simultaneous_intervals(std::vector{a, b});
  EXPECT_TRUE(found.holds);
  EXPECT_NEAR(found.attained, 1 - 4.0 / 128, 1e-12);
  EXPECT_EQ(found.comparisons[0].interval.lo, -3);
  EXPECT_EQ(found.comparisons[1].interval.hi, 3.5);
}

TEST(Simultaneous, LieBetweenTheSingleAndBonferronis) {
  std::mt19937_64 random(3);
  for (const int n : {10, 16, 24, 40}) {
    std::vector<RoundSeries> family;
    for (int c = 0; c < 6; ++c) family.push_back(drawn(random, n, 0.1 * c));
    const SimultaneousIntervals found = simultaneous_intervals(family);
    EXPECT_TRUE(found.holds);
    for (std::size_t c = 0; c < family.size(); ++c) {
      const Interval& interval = found.comparisons[c].interval;
      EXPECT_TRUE(is_within(signed_rank_interval(family[c].d, 0.025), interval)) << n;
      EXPECT_TRUE(is_within(interval, signed_rank_interval(family[c].d, 0.025 / 6))) << n;
    }
  }
}

TEST(Simultaneous, ShiftsSignsAndUnitsChangeTheIntervalsAlike) {
  std::mt19937_64 random(4);
  const std::vector<RoundSeries> family = {drawn(random, 16), drawn(random, 16)};
  std::vector<RoundSeries> changed = family;
  for (double& d : changed[0].d) d = -4 * d;
  for (double& d : changed[1].d) d = 8 + d;
  const SimultaneousIntervals found = simultaneous_intervals(family);
  const SimultaneousIntervals again = simultaneous_intervals(changed);
  EXPECT_EQ(again.attained, found.attained);
  EXPECT_DOUBLE_EQ(again.comparisons[0].interval.lo, -4 * found.comparisons[0].interval.hi);
  EXPECT_NEAR(again.comparisons[1].interval.hi, 8 + found.comparisons[1].interval.hi, 1e-12);
}

// With n rounds no p is below 2^(1-n).
TEST(Simultaneous, SaysWhatTooFewRoundsGive) {
  std::mt19937_64 random(5);
  std::vector<RoundSeries> family;
  for (int c = 0; c < 10; ++c) family.push_back(drawn(random, 6));
  const SimultaneousIntervals found = simultaneous_intervals(family);
  EXPECT_FALSE(found.holds);
  EXPECT_LT(found.attained, 0.95);
  EXPECT_GE(found.attained, 1 - 10.0 / 32 - 1e-12);
  for (std::size_t c = 0; c < family.size(); ++c) {
    const auto [least, most] = std::minmax_element(family[c].d.begin(), family[c].d.end());
    EXPECT_EQ(found.comparisons[c].interval.lo, *least);
    EXPECT_EQ(found.comparisons[c].interval.hi, *most);
  }
}

TEST(Simultaneous, HoldsFromTheRoundsThatItNames) {
  EXPECT_EQ(rounds_for_simultaneous(0), 6);
  EXPECT_EQ(rounds_for_simultaneous(1), 6);
  EXPECT_EQ(rounds_for_simultaneous(2), 7);
  EXPECT_EQ(rounds_for_simultaneous(3), 7);
  EXPECT_EQ(rounds_for_simultaneous(4), 8);
  EXPECT_EQ(rounds_for_simultaneous(21), 10);
  std::mt19937_64 random(6);
  for (const std::size_t comparisons : {1U, 3U, 6U, 21U}) {
    std::vector<RoundSeries> family;
    const int n = rounds_for_simultaneous(comparisons);
    for (std::size_t c = 0; c < comparisons; ++c) family.push_back(drawn(random, n));
    EXPECT_TRUE(simultaneous_intervals(family).holds) << comparisons;
  }
}

// Rounds that one comparison lacks, and one that has too few for any interval.
TEST(Simultaneous, TakesSeriesOfDifferentRounds) {
  std::mt19937_64 random(7);
  RoundSeries whole = drawn(random, 12), part = drawn(random, 9), stub = drawn(random, 5);
  for (std::size_t& round : part.rounds) round += 2;
  const SimultaneousIntervals found = simultaneous_intervals(std::vector{whole, part, stub});
  EXPECT_TRUE(found.holds);
  EXPECT_TRUE(found.comparisons[0].interval.valid);
  EXPECT_TRUE(found.comparisons[1].interval.valid);
  EXPECT_FALSE(found.comparisons[2].interval.valid);
  EXPECT_EQ(found.comparisons[2].estimate, hodges_lehmann(stub.d));
  const SimultaneousIntervals none = simultaneous_intervals({&stub, 1});
  EXPECT_FALSE(none.holds);
  EXPECT_EQ(none.attained, 0);
}

TEST(Simultaneous, ConstantSeriesHaveIntervalsOfNoWidth) {
  const std::vector<RoundSeries> family = {series_of(std::vector<double>(10, 0.25)),
                                           series_of(std::vector<double>(10, 0.0))};
  const SimultaneousIntervals found = simultaneous_intervals(family);
  EXPECT_TRUE(found.holds);
  EXPECT_EQ(found.comparisons[0].interval.lo, 0.25);
  EXPECT_EQ(found.comparisons[0].interval.hi, 0.25);
  EXPECT_EQ(found.comparisons[1].interval.hi, 0);
}

TEST(Simultaneous, ManyRoundsAreBonferronis) {
  std::mt19937_64 random(8);
  const std::vector<RoundSeries> family = {drawn(random, 201), drawn(random, 201)};
  const SimultaneousIntervals found = simultaneous_intervals(family);
  EXPECT_TRUE(found.holds);
  EXPECT_EQ(found.comparisons[0].interval.lo, signed_rank_interval(family[0].d, 0.0125).lo);
}

TEST(Simultaneous, RefusesWhatIsNoSeries) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const RoundSeries fine = series_of({1, 2, 3, 4, 5, 6});
  for (const RoundSeries& wrong :
       {RoundSeries{}, RoundSeries{{0, 1}, {1}}, RoundSeries{{1, 0}, {1, 2}},
        RoundSeries{{0, 0}, {1, 2}}, RoundSeries{{0}, {kNan}}}) {
    EXPECT_THROW(simultaneous_intervals(std::vector{fine, wrong}), std::invalid_argument);
  }
  EXPECT_THROW(simultaneous_intervals({&fine, 1}, 1.0), std::invalid_argument);
  EXPECT_THROW(simultaneous_intervals({&fine, 1}, 0.0), std::invalid_argument);
  EXPECT_THROW(rounds_for_simultaneous(3, 1.0), std::invalid_argument);
  EXPECT_TRUE(simultaneous_intervals({}).comparisons.empty());
}

TEST(SignedRankNull, IsTheDistributionOfTheCutoffs) {
  for (const int n : {1, 6, 13, 40}) {
    const std::vector<double> cdf = signed_rank_null_cdf(n);
    EXPECT_EQ(cdf.size(), static_cast<std::size_t>(n * (n + 1) / 4 + 1));
    EXPECT_DOUBLE_EQ(cdf.front(), std::ldexp(1.0, -n));
    for (const double level : {0.025, 0.001}) {
      const auto below = std::upper_bound(cdf.begin(), cdf.end(), level) - cdf.begin();
      EXPECT_EQ(below - 1, signed_rank_cutoff(n, level).k) << n;
    }
  }
  EXPECT_THROW(signed_rank_null_cdf(0), std::invalid_argument);
  EXPECT_THROW(signed_rank_null_cdf(201), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
