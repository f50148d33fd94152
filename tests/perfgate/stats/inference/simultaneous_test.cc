// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/simultaneous.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::stats {
namespace {

Matrix Noise(std::size_t rounds, const std::vector<double>& effects, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Matrix y(rounds, effects.size());
  for (std::size_t r = 0; r < rounds; ++r) {
    const double round = 3 * normal(random);
    for (std::size_t a = 0; a < effects.size(); ++a) y(r, a) = round + effects[a] + normal(random);
  }
  return y;
}

TEST(Simultaneous, OneOfTwoArmsIsTheUsualInterval) {
  const Matrix y = Noise(24, {0, 1}, 1);
  const Simultaneous found = SimultaneousIntervals(y, AllPairs(2));
  std::vector<double> d(24);
  for (std::size_t r = 0; r < d.size(); ++r) d[r] = y(r, 1) - y(r, 0);
  const Interval usual = signed_rank_interval(d, 0.025);
  // The critical value is estimated by permutations: a Walsh average more or less.
  EXPECT_NEAR(found.intervals[0].interval.lo, usual.lo, 0.05);
  EXPECT_NEAR(found.intervals[0].interval.hi, usual.hi, 0.05);
  EXPECT_EQ(found.intervals[0].estimate, hodges_lehmann(d));
}

TEST(Simultaneous, ShiftsOfRoundsAndArmsOnlyShiftIntervals) {
  const Matrix y = Noise(16, {0, 0, 0, 0}, 2);
  Matrix shifted = y;
  const std::vector<double> by = {0, 5, -3, 0.25};
  for (std::size_t r = 0; r < y.rows; ++r) {
    for (std::size_t a = 0; a < y.cols; ++a) shifted(r, a) += by[a] + 100 * static_cast<double>(r);
  }
  const Simultaneous one = SimultaneousIntervals(y, AllPairs(4));
  const Simultaneous other = SimultaneousIntervals(shifted, AllPairs(4));
  EXPECT_EQ(one.attained, other.attained);
  for (std::size_t i = 0; i < one.intervals.size(); ++i) {
    const ArmPair pair = one.intervals[i].pair;
    const double shift = by[pair.second] - by[pair.first];
    EXPECT_NEAR(other.intervals[i].interval.lo, one.intervals[i].interval.lo + shift, 1e-9);
    EXPECT_NEAR(other.intervals[i].interval.hi, one.intervals[i].interval.hi + shift, 1e-9);
  }
}

TEST(Simultaneous, MorePairsMakeWiderIntervals) {
  const Matrix y = Noise(24, {0, 0, 0, 0, 0}, 3);
  const auto width = [&](std::span<const ArmPair> pairs) {
    const Interval interval = SimultaneousIntervals(y, pairs).intervals[0].interval;
    return interval.hi - interval.lo;
  };
  const std::vector<ArmPair> one = {{0, 1}};
  EXPECT_LT(width(one), width(AgainstReference(5, 0)));
  EXPECT_LT(width(AgainstReference(5, 0)), width(AllPairs(5)));
}

TEST(Simultaneous, FewRoundsHaveNoInterval) {
  for (const std::size_t rounds : {2U, 5U}) {
    EXPECT_FALSE(SimultaneousIntervals(Noise(rounds, {0, 0, 0}, 4), AllPairs(3))
                     .intervals[0]
                     .interval.valid);
  }
  EXPECT_TRUE(
      SimultaneousIntervals(Noise(10, {0, 0, 0}, 4), AllPairs(3)).intervals[0].interval.valid);
}

TEST(Simultaneous, BadInputIsRefused) {
  Matrix y = Noise(8, {0, 0}, 5);
  EXPECT_THROW(SimultaneousIntervals(y, std::vector<ArmPair>{{0, 2}}), std::invalid_argument);
  EXPECT_THROW(SimultaneousIntervals(y, std::vector<ArmPair>{{1, 1}}), std::invalid_argument);
  EXPECT_THROW(SimultaneousIntervals(y, AllPairs(2), 1.0), std::invalid_argument);
  y(3, 1) = std::nan("");
  EXPECT_THROW(SimultaneousIntervals(y, AllPairs(2)), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
