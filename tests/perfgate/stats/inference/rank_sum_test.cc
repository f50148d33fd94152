// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/rank_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using testing::sample;

double pairs(const std::vector<double>& a, const std::vector<double>& b) {
  double u = 0.0;
  for (const double x : a) {
    for (const double y : b) {
      u += x < y ? 1.0 : (x == y ? 0.5 : 0.0);
    }
  }
  return u;
}

// P(U >= u) over all ways to relabel the pooled values, by listing them.
double relabelled(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> pooled = a;
  pooled.insert(pooled.end(), b.begin(), b.end());
  int total = 0;
  int reached = 0;
  for (unsigned mask = 0; mask < (1U << pooled.size()); ++mask) {
    if (static_cast<std::size_t>(std::popcount(mask)) != b.size()) {
      continue;
    }
    std::vector<double> first;
    std::vector<double> second;
    for (std::size_t i = 0; i < pooled.size(); ++i) {
      (((mask >> i) & 1U) != 0 ? second : first).push_back(pooled[i]);
    }
    ++total;
    reached += static_cast<int>(pairs(first, second) >= pairs(a, b));
  }
  return static_cast<double>(reached) / total;
}

TEST(RankSum, ExactValuesEqualEnumeration) {
  for (const auto& [m, n] : {std::pair{1U, 1U}, {2U, 5U}, {5U, 2U}, {4U, 4U}, {6U, 5U}}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      const std::vector<double> a = sample(m, seed);
      const std::vector<double> b = sample(n, 100 + seed);
      const RankSum result = rank_sum_test(a, b);
      EXPECT_TRUE(result.exact);
      EXPECT_EQ(result.u, pairs(a, b));
      const double greater = relabelled(a, b);
      const double less = relabelled(b, a);
      EXPECT_NEAR(result.p_greater, greater, 1e-12);
      EXPECT_NEAR(result.p_two_sided, std::min(1.0, 2.0 * std::min(greater, less)), 1e-12);
    }
  }
}

TEST(RankSum, SeparatedSamplesOfTen) {
  std::vector<double> a(10);
  std::vector<double> b(10);
  for (std::size_t i = 0; i < 10; ++i) {
    a[i] = static_cast<double>(i);
    b[i] = 100.0 + static_cast<double>(i);
  }
  const RankSum slower = rank_sum_test(a, b);
  EXPECT_EQ(slower.u, 100.0);
  EXPECT_NEAR(slower.p_greater, 1.0 / 184756.0, 1e-15);  // C(20, 10)
  EXPECT_NEAR(slower.p_two_sided, 2.0 / 184756.0, 1e-15);
  EXPECT_NEAR(rank_sum_test(b, a).p_greater, 1.0, 1e-12);
}

TEST(RankSum, NormalApproximationMeetsTheExactValue) {
  const std::vector<double> a = sample(50, 1);
  std::vector<double> b = sample(50, 2);
  for (double& value : b) {
    value += 0.006;
  }
  const RankSum exact = rank_sum_test(a, b);
  ASSERT_TRUE(exact.exact);
  // One pair of equal values forces the approximation and hardly moves U.
  std::vector<double> tied = b;
  tied[0] = a[0];
  const RankSum approximate = rank_sum_test(a, tied);
  ASSERT_FALSE(approximate.exact);
  EXPECT_NEAR(approximate.p_two_sided, exact.p_two_sided, 0.02);
  EXPECT_NEAR(approximate.p_greater, exact.p_greater, 0.02);
  EXPECT_FALSE(rank_sum_test(sample(51, 1), sample(10, 2)).exact);
}

// m n / 2 = 4.5; the groups 1,1,1 and 2,2 give the tie term 24 + 6, so the variance is
// 9/12 (7 - 30/30) = 4.5 and z = (U - 4.5 - .5) / sqrt(4.5).
TEST(RankSum, TieCorrectionByHand) {
  const RankSum result =
      rank_sum_test(std::vector<double>{1.0, 1.0, 2.0}, std::vector<double>{1.0, 2.0, 3.0});
  EXPECT_FALSE(result.exact);
  EXPECT_EQ(result.u, pairs({1.0, 1.0, 2.0}, {1.0, 2.0, 3.0}));
  const double z = (result.u - 4.5 - 0.5) / std::sqrt(4.5);
  EXPECT_NEAR(result.p_greater, 0.5 * std::erfc(z / std::sqrt(2.0)), 1e-12);
  EXPECT_NEAR(result.p_two_sided, std::erfc(z / std::sqrt(2.0)), 1e-12);
}

TEST(RankSum, ExchangingTheSamplesMirrorsIt) {
  for (const std::size_t n : {8U, 60U}) {
    const std::vector<double> a = sample(n, 1);
    const std::vector<double> b = sample(n, 2);
    EXPECT_EQ(rank_sum_test(a, b).u + rank_sum_test(b, a).u, static_cast<double>(n * n));
    EXPECT_NEAR(rank_sum_test(a, b).p_two_sided, rank_sum_test(b, a).p_two_sided, 1e-12);
  }
}

TEST(RankSum, EqualValuesAreNoEvidence) {
  const RankSum result = rank_sum_test(std::vector<double>(10, 3.0), std::vector<double>(7, 3.0));
  EXPECT_EQ(result.p_two_sided, 1.0);
  EXPECT_EQ(result.p_greater, 1.0);
}

TEST(RankSum, RefusesWhatItCannotCompute) {
  const std::vector<double> good{1.0, 2.0};
  EXPECT_THROW(rank_sum_test({}, good), std::invalid_argument);
  EXPECT_THROW(rank_sum_test(good, {}), std::invalid_argument);
  EXPECT_THROW(rank_sum_test(good, std::vector<double>{1.0, testing::kNaN}), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
