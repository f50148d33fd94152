// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/signed_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perfgate/stats/estimate/order_statistics.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using testing::sample;

constexpr double kLevels[] = {0.05, 0.025, 0.01};

// P(W <= k) by listing all 2^n subsets of ranks: shares nothing with the recurrence under test.
double enumerated_cdf(int n, std::int64_t k) {
  int reached = 0;
  for (int mask = 0; mask < (1 << n); ++mask) {
    int w = 0;
    for (int r = 0; r < n; ++r) {
      w += ((mask >> r) & 1) * (r + 1);
    }
    reached += static_cast<int>(w <= k);
  }
  return std::ldexp(reached, -n);
}

std::vector<double> flipped(const std::vector<double>& d, int mask) {
  std::vector<double> result = d;
  for (std::size_t r = 0; r < d.size(); ++r) {
    if (((mask >> r) & 1) != 0) {
      result[r] = -d[r];
    }
  }
  return result;
}

TEST(SignedRankCutoff, KnownValues) {
  const int n[] = {6, 7, 8, 9, 10, 16, 24, 40};
  const int k025[] = {0, 2, 3, 5, 8, 29, 81, 264};
  for (std::size_t i = 0; i < std::size(n); ++i) {
    EXPECT_EQ(signed_rank_cutoff(n[i], 0.025).k, k025[i]) << n[i];
  }
  EXPECT_EQ(signed_rank_cutoff(10, 0.01).k, 5);
  EXPECT_EQ(signed_rank_cutoff(16, 0.01).k, 23);
  EXPECT_EQ(signed_rank_cutoff(24, 0.01).k, 69);
  EXPECT_EQ(signed_rank_cutoff(40, 0.01).k, 238);
  EXPECT_EQ(signed_rank_cutoff(6, sequential_level(6)).k, 0);
  EXPECT_EQ(signed_rank_cutoff(5, 0.025).k, -1);
}

TEST(SignedRankCutoff, IsTheLargestAllowedByEnumeration) {
  for (int n = 1; n <= 12; ++n) {
    for (const double a : {0.5, 0.05, 0.025, 0.01, 1.0 / 64, 0.003}) {
      const SignedRankCutoff cutoff = signed_rank_cutoff(n, a);
      EXPECT_GT(enumerated_cdf(n, cutoff.k + 1), a) << n << " " << a;
      if (cutoff.k >= 0) {
        EXPECT_LE(enumerated_cdf(n, cutoff.k), a) << n << " " << a;
        EXPECT_DOUBLE_EQ(cutoff.attained, 1.0 - 2.0 * enumerated_cdf(n, cutoff.k));
      }
    }
  }
}

TEST(SignedRankCutoff, FollowsTheNormalLimitForManyRounds) {
  for (const int n : {100, 200, 300}) {
    const double mean = n * (n + 1) / 4.0;
    const double sd = std::sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 24.0);
    EXPECT_NEAR(static_cast<double>(signed_rank_cutoff(n, 0.025).k), mean - 1.959964 * sd,
                0.002 * mean)
        << n;
    const SignedRankCutoff cutoff = signed_rank_cutoff(n, 0.025);
    EXPECT_GE(cutoff.attained, 0.95);
    EXPECT_NEAR(cutoff.attained, 0.95, 1e-3);
  }
}

// Where the exact distribution ends and the approximation begins, both agree: continued by hand
// from 200 to 260 rounds in exact arithmetic.
TEST(SignedRankCutoff, TheApproximationContinuesTheExactDistribution) {
  for (const int n : {201, 230, 260}) {
    const auto top = static_cast<std::size_t>(n * (n + 1) / 2);
    std::vector<double> probability(top + 1, 0.0);
    probability[0] = 1.0;
    for (std::size_t rank = 1; rank <= static_cast<std::size_t>(n); ++rank) {
      for (std::size_t w = top + 1; w-- > 0;) {
        probability[w] = 0.5 * (probability[w] + (w >= rank ? probability[w - rank] : 0.0));
      }
    }
    for (const double a : {0.25, 0.05, 0.025, 0.01, 0.001}) {
      double below = 0.0;
      std::int64_t k = -1;
      while (below + probability[static_cast<std::size_t>(k + 1)] <= a) {
        below += probability[static_cast<std::size_t>(++k)];
      }
      const SignedRankCutoff cutoff = signed_rank_cutoff(n, a);
      EXPECT_NEAR(static_cast<double>(cutoff.k), static_cast<double>(k), 1.0) << n << " " << a;
      EXPECT_NEAR(cutoff.attained, 1.0 - 2.0 * below, 1e-4);
    }
  }
}

TEST(SignedRankCutoff, RisesThroughTheBoundaryAndReachesMillions) {
  std::int64_t previous = -1;
  for (int n = 190; n <= 210; ++n) {
    const std::int64_t k = signed_rank_cutoff(n, 0.025).k;
    EXPECT_GT(k, previous);
    EXPECT_LT(k - previous, previous < 0 ? 100000 : 100);
    previous = k;
  }
  const SignedRankCutoff large = signed_rank_cutoff(2000000, 0.025);
  EXPECT_NEAR(large.attained, 0.95, 1e-9);
  EXPECT_NEAR(static_cast<double>(large.k), 1e12 - 1.959964 * std::sqrt(8e18 / 12.0), 1e7);
  EXPECT_THROW(signed_rank_cutoff(2000000000, 0.025), std::invalid_argument);
}

TEST(SignedRankInterval, TakesMillionsOfRounds) {
  const std::vector<double> d = sample(1000001, 8);
  const SignedRank summary =
      signed_rank(d, signed_rank_cutoff(static_cast<std::int64_t>(d.size()), 0.025));
  EXPECT_NEAR(summary.estimate, 0.0, 1e-4);
  EXPECT_LT(summary.interval.lo, summary.estimate);
  EXPECT_GT(summary.interval.hi, summary.estimate);
  // The half-width of a mean of uniform values in [-.025, .025); ranks lose nothing here.
  const double half = 1.96 * 0.05 / std::sqrt(12.0) / std::sqrt(1000001.0);
  EXPECT_NEAR(summary.interval.hi - summary.interval.lo, 2.0 * half, 0.05 * half);
}

TEST(SignedRankInterval, ContainsTheEstimate) {
  for (std::size_t n = 6; n <= 40; ++n) {
    const std::vector<double> d = sample(n, n);
    for (const double a : kLevels) {
      const Interval interval = signed_rank_interval(d, a);
      if (interval.valid) {
        EXPECT_LE(interval.lo, hodges_lehmann(d));
        EXPECT_GE(interval.hi, hodges_lehmann(d));
        EXPECT_GE(interval.attained, 1.0 - 2.0 * a);
      }
    }
  }
}

TEST(SignedRankInterval, MovesWithTheDataAndMirrorsWithItsSign) {
  for (const std::size_t n : {6U, 7U, 10U, 16U, 25U}) {
    std::vector<double> d = sample(n, 100 + n);
    // Multiples of 2^-20, so that shifting rounds nothing and equality can be exact.
    for (double& value : d) {
      value = std::round(std::ldexp(value, 20)) / std::ldexp(1.0, 20);
    }
    const Interval base = signed_rank_interval(d, 0.025);
    std::vector<double> shifted = d;
    std::vector<double> negated = d;
    for (std::size_t i = 0; i < n; ++i) {
      shifted[i] += 0.75;
      negated[i] = -d[i];
    }
    const Interval up = signed_rank_interval(shifted, 0.025);
    EXPECT_EQ(up.lo, base.lo + 0.75);
    EXPECT_EQ(up.hi, base.hi + 0.75);
    EXPECT_EQ(hodges_lehmann(shifted), hodges_lehmann(d) + 0.75);
    const Interval mirror = signed_rank_interval(negated, 0.025);
    EXPECT_EQ(mirror.lo, -base.hi);
    EXPECT_EQ(mirror.hi, -base.lo);
    EXPECT_EQ(hodges_lehmann(negated), -hodges_lehmann(d));
  }
}

TEST(SignedRankInterval, IgnoresTheOrderOfRounds) {
  std::vector<double> d = sample(17, 5);
  const Interval before = signed_rank_interval(d, 0.01);
  std::reverse(d.begin(), d.end());
  EXPECT_EQ(signed_rank_interval(d, 0.01).lo, before.lo);
  EXPECT_EQ(signed_rank_interval(d, 0.01).hi, before.hi);
}

// Over all sign flips of one sample the interval covers the centre 0 in exactly the attained share.
TEST(SignedRankInterval, CoversExactlyWhatItStates) {
  for (int n = 6; n <= 10; ++n) {
    const std::vector<double> d = sample(static_cast<std::size_t>(n), static_cast<unsigned>(n));
    for (const double a : kLevels) {
      const SignedRankCutoff cutoff = signed_rank_cutoff(n, a);
      if (cutoff.k < 0) {
        continue;
      }
      int covered = 0;
      for (int mask = 0; mask < (1 << n); ++mask) {
        const Interval interval = signed_rank_interval(flipped(d, mask), cutoff);
        covered += static_cast<int>(interval.lo <= 0.0 && 0.0 <= interval.hi);
      }
      EXPECT_EQ(std::ldexp(covered, -n), 1.0 - 2.0 * enumerated_cdf(n, cutoff.k)) << n << " " << a;
      EXPECT_EQ(std::ldexp(covered, -n), cutoff.attained) << n << " " << a;
    }
  }
}

TEST(SignedRankInterval, IsTheRangeAtSixRoundsAndNoneBelow) {
  const std::vector<double> d = sample(6, 3);
  const Interval six = signed_rank_interval(d, sequential_level(6));
  EXPECT_EQ(six.lo, *std::min_element(d.begin(), d.end()));
  EXPECT_EQ(six.hi, *std::max_element(d.begin(), d.end()));
  EXPECT_EQ(six.attained, 0.96875);
  const Interval five = signed_rank_interval(sample(5, 3), 0.025);
  EXPECT_FALSE(five.valid);
  EXPECT_TRUE(std::isnan(five.lo) && std::isnan(five.hi));
}

TEST(SignedRankInterval, TiesCollapseIt) {
  const std::vector<double> d(12, 0.25);
  const Interval interval = signed_rank_interval(d, 0.01);
  EXPECT_EQ(interval.lo, 0.25);
  EXPECT_EQ(interval.hi, 0.25);
  EXPECT_EQ(hodges_lehmann(d), 0.25);
}

TEST(SequentialLevel, IsOnePercentFromSevenRounds) {
  EXPECT_EQ(sequential_level(1), 0.5);
  EXPECT_EQ(sequential_level(6), 1.0 / 64);
  EXPECT_EQ(sequential_level(7), 0.01);
  EXPECT_EQ(sequential_level(2000), 0.01);
  EXPECT_EQ(sequential_level(6, 1), 0.005) << "out of reach: 2^-6 is more";
  EXPECT_EQ(signed_rank_cutoff(6, sequential_level(6, 1)).k, -1);
  EXPECT_EQ(sequential_level(40, 4), 0.002);
}

TEST(MinMax, StatesItsExactConfidence) {
  const double expected[] = {0.0, 0.5, 0.75, 0.875, 0.9375};
  for (std::size_t n = 1; n <= 5; ++n) {
    const Range range = min_max(sample(n, n));
    EXPECT_EQ(range.confidence, expected[n - 1]);
    EXPECT_LE(range.lo, range.hi);
  }
  EXPECT_EQ(min_max(std::vector<double>{2.0, -1.0, 5.0}).lo, -1.0);
  EXPECT_EQ(min_max(std::vector<double>{2.0, -1.0, 5.0}).hi, 5.0);
}

TEST(SignedRank, RefusesWhatItCannotCompute) {
  const std::vector<double> empty;
  EXPECT_THROW(hodges_lehmann(empty), std::invalid_argument);
  EXPECT_THROW(signed_rank_interval(empty, 0.025), std::invalid_argument);
  EXPECT_THROW(min_max(empty), std::invalid_argument);
  EXPECT_THROW(sequential_level(0), std::invalid_argument);
  EXPECT_THROW(signed_rank_cutoff(0, 0.025), std::invalid_argument);
  for (const double a : {0.0, -0.1, 0.6, testing::kNaN}) {
    EXPECT_THROW(signed_rank_cutoff(10, a), std::invalid_argument);
  }
  EXPECT_THROW(signed_rank_interval(sample(7, 1), signed_rank_cutoff(8, 0.025)),
               std::invalid_argument);
  EXPECT_THROW(signed_rank_interval(sample(7, 1), SignedRankCutoff{7, 14, 0.5}),
               std::invalid_argument);
  for (const double bad : {testing::kNaN, testing::kInfinity}) {
    std::vector<double> d = sample(10, 1);
    d[4] = bad;
    EXPECT_THROW(hodges_lehmann(d), std::invalid_argument);
    EXPECT_THROW(signed_rank_interval(d, 0.025), std::invalid_argument);
    EXPECT_THROW(min_max(d), std::invalid_argument);
  }
}

TEST(SignedRankP, IsEnumeratedExactly) {
  for (int n = 1; n <= 10; ++n) {
    const std::vector<double> d = sample(static_cast<std::size_t>(n), static_cast<unsigned>(n));
    for (const double bound : {-0.1, -0.03, 0.0, 0.02, 0.08}) {
      std::int64_t above = 0;
      for (std::size_t i = 0; i < d.size(); ++i) {
        for (std::size_t j = i; j < d.size(); ++j) above += (d[i] + d[j]) / 2 >= bound ? 1 : 0;
      }
      EXPECT_NEAR(signed_rank_p_below(d, bound), enumerated_cdf(n, above), 1e-12) << n;
    }
  }
}

TEST(SignedRankP, IsDualToTheInterval) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    for (const std::size_t n : {6U, 10U, 24U, 40U, 250U}) {
      const std::vector<double> d = sample(n, seed);
      const double hi = signed_rank_interval(d, 0.02).hi;
      for (const double bound : {hi - 0.01, hi + 1e-9, hi + 0.01}) {
        EXPECT_EQ(hi < bound, signed_rank_p_below(d, bound) <= 0.02) << n << " " << bound - hi;
      }
    }
  }
}

TEST(SignedRankP, RefusesWhatIsNoSample) {
  EXPECT_THROW(signed_rank_p_below({}, 0), std::invalid_argument);
  const std::vector<double> bad = {1, std::nan("")};
  EXPECT_THROW(signed_rank_p_below(bad, 0), std::invalid_argument);
  const std::vector<double> good = {1, 2};
  EXPECT_THROW(signed_rank_p_below(good, std::nan("")), std::invalid_argument);
  EXPECT_EQ(signed_rank_p_below(good, -1e9), 1.0);
  EXPECT_EQ(signed_rank_p_below(good, 1e9), 0.25);
}

}  // namespace
}  // namespace perfgate::stats
