// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/max_t.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using testing::sample_matrix;

// The definition again, written as plainly as possible: one flip, one column, one round at a time,
// and a maximum over an explicit set of columns for each position.
struct Oracle {
  std::vector<double> z, raw, single, adjusted;
};

double middle(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const std::size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2.0;
}

Oracle max_t_oracle(const Matrix& x, double clip, std::uint64_t seed, std::size_t draws) {
  const std::size_t n = x.rows;
  const std::size_t cols = x.cols;
  std::vector<std::vector<double>> u(cols, std::vector<double>(n));
  for (std::size_t b = 0; b < cols; ++b) {
    std::vector<double> magnitudes;
    for (std::size_t r = 0; r < n; ++r) {
      magnitudes.push_back(std::fabs(x(r, b)));
    }
    const double m = middle(magnitudes);
    double q = 0.0;
    for (std::size_t r = 0; r < n; ++r) {
      u[b][r] = m > 0.0 ? std::max(-clip * m, std::min(clip * m, x(r, b))) : x(r, b);
      q += u[b][r] * u[b][r];
    }
    for (std::size_t r = 0; r < n; ++r) {
      u[b][r] = q > 0.0 ? u[b][r] / std::sqrt(q) : 0.0;
    }
  }
  const std::size_t flips = n <= 14 ? std::size_t{1} << n : draws;
  const std::size_t words = (n + 63) / 64;
  std::vector<std::vector<double>> Z(flips, std::vector<double>(cols, 0.0));
  for (std::size_t s = 0; s < flips; ++s) {
    for (std::size_t r = 0; r < n; ++r) {
      const std::uint64_t drawn = s == 0 ? 0 : splitmix64(seed, s * words + r / 64);
      const std::uint64_t word = n <= 14 ? s : drawn;
      const bool negate = ((word >> (r % 64)) & 1U) != 0;
      for (std::size_t b = 0; b < cols; ++b) {
        Z[s][b] += negate ? -u[b][r] : u[b][r];
      }
    }
  }
  const auto share = [&](double threshold, const std::vector<std::size_t>& family) {
    std::size_t count = 0;
    for (const std::vector<double>& z : Z) {
      count += static_cast<std::size_t>(std::any_of(
          family.begin(), family.end(), [&](std::size_t b) { return z[b] >= threshold - 1e-9; }));
    }
    return static_cast<double>(count) / static_cast<double>(flips);
  };
  Oracle result{Z[0], std::vector<double>(cols), std::vector<double>(cols),
                std::vector<double>(cols)};
  std::vector<std::size_t> family(cols);
  std::iota(family.begin(), family.end(), std::size_t{0});
  for (std::size_t b = 0; b < cols; ++b) {
    result.raw[b] = share(Z[0][b], {b});
    result.single[b] = share(Z[0][b], family);
  }
  double running = 0.0;
  while (!family.empty()) {
    const auto top =
        std::max_element(family.begin(), family.end(),
                         [&](std::size_t a, std::size_t b) { return Z[0][a] < Z[0][b]; });
    running = std::max(running, share(Z[0][*top], family));
    result.adjusted[*top] = running;
    family.erase(top);
  }
  return result;
}

void expect_equals_oracle(const Matrix& x, double clip = 2.0, std::uint64_t seed = 1,
                          std::size_t flips = 3000) {
  const MaxT actual = max_t(x, clip, seed, flips);
  const Oracle expected = max_t_oracle(x, clip, seed, flips);
  for (std::size_t b = 0; b < x.cols; ++b) {
    EXPECT_NEAR(actual.z[b], expected.z[b], 1e-12) << b;
    EXPECT_EQ(actual.p_raw[b], expected.raw[b]) << b;
    EXPECT_EQ(actual.p_single[b], expected.single[b]) << b;
    EXPECT_EQ(actual.p_adjusted[b], expected.adjusted[b]) << b;
  }
}

TEST(MaxT, OneColumnEqualsTheDefinition) {
  for (std::size_t n = 1; n <= 14; ++n) {
    expect_equals_oracle(sample_matrix(n, 1, n, 0.01));
  }
}

TEST(MaxT, ManyColumnsEqualTheDefinition) {
  for (const std::size_t n : {1U, 7U, 8U, 9U, 10U, 12U}) {
    for (const std::size_t cols : {1U, 2U, 7U, 8U, 9U, 16U, 17U}) {
      expect_equals_oracle(sample_matrix(n, cols, 31 * n + cols, 0.005));
    }
  }
  for (const std::size_t cols : {63U, 64U, 65U, 100U}) {
    expect_equals_oracle(sample_matrix(8, cols, cols, 0.005));
  }
}

TEST(MaxT, SampledFlipsEqualTheDefinition) {
  for (const std::size_t n : {15U, 16U, 24U, 40U, 63U, 64U, 65U, 130U}) {
    expect_equals_oracle(sample_matrix(n, 11, n, 0.003));
  }
  expect_equals_oracle(sample_matrix(24, 5, 77, 0.004), 3.0, 99, 1234);
}

TEST(MaxT, ClipMattersAndMayBeInfinite) {
  Matrix x = sample_matrix(11, 3, 8, 0.01);
  x(4, 1) = 2.0;
  expect_equals_oracle(x, 2.0);
  expect_equals_oracle(x, 3.0);
  expect_equals_oracle(x, testing::kInfinity);
  EXPECT_GT(max_t(x, 2.0).z[1], max_t(x, testing::kInfinity).z[1]);
}

TEST(MaxT, TiesAndConstantColumns) {
  Matrix x(10, 4);
  for (std::size_t r = 0; r < 10; ++r) {
    x(r, 0) = 0.01;                // all equal
    x(r, 1) = 0.0;                 // nothing to score
    x(r, 2) = r < 3 ? 0.02 : 0.0;  // median |x| is 0
    x(r, 3) = r % 2 == 0 ? 0.01 : -0.01;
  }
  expect_equals_oracle(x);
  const MaxT result = max_t(x);
  EXPECT_EQ(result.p_raw[0], 1.0 / 1024);
  EXPECT_EQ(result.z[1], 0.0);
  EXPECT_EQ(result.p_raw[1], 1.0);
  EXPECT_EQ(result.p_raw[2], 1.0 / 8);
}

TEST(MaxT, EqualColumnsHaveEqualResults) {
  Matrix x(12, 20);
  const Matrix one = sample_matrix(12, 1, 4, 0.008);
  for (std::size_t r = 0; r < 12; ++r) {
    for (std::size_t c = 0; c < 20; ++c) {
      x(r, c) = one(r, 0);
    }
  }
  const MaxT alone = max_t(one);
  const MaxT result = max_t(x);
  for (std::size_t c = 0; c < 20; ++c) {
    EXPECT_EQ(result.p_raw[c], alone.p_raw[0]);
    EXPECT_EQ(result.p_single[c], alone.p_raw[0]);
    EXPECT_EQ(result.p_adjusted[c], alone.p_raw[0]);
  }
}

TEST(MaxT, ValuesAreOrderedAndAttainable) {
  for (const std::size_t n : {10U, 20U}) {
    const MaxT result = max_t(sample_matrix(n, 30, n, 0.004));
    for (std::size_t c = 0; c < 30; ++c) {
      EXPECT_GT(result.p_raw[c], 0.0);
      EXPECT_LE(result.p_raw[c], result.p_adjusted[c]);
      EXPECT_LE(result.p_adjusted[c], result.p_single[c]);
      EXPECT_LE(result.p_single[c], 1.0);
      const double count = result.p_adjusted[c] * static_cast<double>(result.flips);
      EXPECT_NEAR(count, std::round(count), 1e-9);
      EXPECT_LE(std::fabs(result.z[c]), std::sqrt(static_cast<double>(n)) + 1e-12);
    }
  }
}

TEST(MaxT, ScaleOfAColumnDoesNotMatter) {
  const Matrix x = sample_matrix(16, 5, 12, 0.004);
  const MaxT base = max_t(x);
  for (const double scale : {0x1p-1000, 0x1p-20, 0x1p1020}) {
    Matrix scaled = x;
    for (std::size_t r = 0; r < x.rows; ++r) {
      scaled(r, 2) *= scale;
    }
    const MaxT result = max_t(scaled);
    EXPECT_EQ(result.z, base.z) << scale;
    EXPECT_EQ(result.p_adjusted, base.p_adjusted) << scale;
  }
}

TEST(MaxT, PermutingColumnsPermutesResults) {
  const Matrix x = sample_matrix(13, 19, 6, 0.004);
  Matrix reversed(13, 19);
  for (std::size_t r = 0; r < 13; ++r) {
    for (std::size_t c = 0; c < 19; ++c) {
      reversed(r, 18 - c) = x(r, c);
    }
  }
  MaxT a = max_t(x);
  const MaxT b = max_t(reversed);
  std::reverse(a.p_adjusted.begin(), a.p_adjusted.end());
  EXPECT_EQ(a.p_adjusted, b.p_adjusted);
}

Matrix negate_rounds(const Matrix& x, std::size_t mask) {
  Matrix y = x;
  for (std::size_t r = 0; r < x.rows; ++r) {
    for (std::size_t c = 0; c < x.cols; ++c) {
      y(r, c) = ((mask >> r) & 1U) != 0 ? -x(r, c) : x(r, c);
    }
  }
  return y;
}

// The exactness argument itself: under the null every member of the orbit of sign vectors is
// equally likely, so at most a share alpha of them may have any adjusted p <= alpha. Three very
// different matrices: independent columns, one shared shock per round, and one round that dwarfs
// all others.
TEST(MaxT, FalseAlarmsOverTheWholeOrbitNeverExceedAlpha) {
  constexpr std::size_t n = 8;
  Matrix independent = sample_matrix(n, 4, 21);
  Matrix shocked = sample_matrix(n, 4, 22);
  Matrix jumpy = sample_matrix(n, 4, 23);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < 4; ++c) {
      shocked(r, c) = 0.1 * shocked(r, c) + independent(r, 0);
      jumpy(r, c) *= r == 3 ? 50.0 : 1.0;
    }
  }
  for (const Matrix& x : {independent, shocked, jumpy}) {
    std::vector<double> smallest;
    for (std::size_t mask = 0; mask < (1U << n); ++mask) {
      const MaxT result = max_t(negate_rounds(x, mask));
      smallest.push_back(*std::min_element(result.p_adjusted.begin(), result.p_adjusted.end()));
    }
    for (const double alpha : {1.0 / 256, 2.0 / 256, 0.01, 0.05, 0.1, 0.3, 0.5}) {
      const auto rejected =
          std::count_if(smallest.begin(), smallest.end(), [&](double p) { return p <= alpha; });
      EXPECT_LE(static_cast<double>(rejected) / 256.0, alpha);
    }
    // Not so conservative that it could never reject.
    const auto at_tenth =
        std::count_if(smallest.begin(), smallest.end(), [](double p) { return p <= 0.1; });
    EXPECT_GE(at_tenth, 20);
  }
}

// Why no FAIL look may have alpha below 2/2^n.
TEST(MaxT, AColumnFarBelowItsToleranceDoublesTheSmallestP) {
  Matrix x(10, 2);
  for (std::size_t r = 0; r < 10; ++r) {
    x(r, 0) = 0.05 + 0.001 * static_cast<double>(r);
    x(r, 1) = -0.05 - 0.0001 * static_cast<double>(r);
  }
  EXPECT_EQ(max_t(x).p_raw[0], 1.0 / 1024);
  EXPECT_EQ(max_t(x).p_adjusted[0], 2.0 / 1024);
}

TEST(MaxT, NoColumnsGiveNoResults) {
  const MaxT result = max_t(Matrix(10, 0));
  EXPECT_TRUE(result.p_adjusted.empty());
  EXPECT_EQ(result.flips, 1024U);
}

TEST(MaxT, RefusesWhatItCannotCompute) {
  EXPECT_THROW(max_t(Matrix(0, 3)), std::invalid_argument);
  EXPECT_THROW(max_t(sample_matrix(10, 2, 1), 0.0), std::invalid_argument);
  EXPECT_THROW(max_t(sample_matrix(10, 2, 1), testing::kNaN), std::invalid_argument);
  EXPECT_THROW(max_t(sample_matrix(20, 2, 1), 2.0, 1, 0), std::invalid_argument);
  for (const double bad : {testing::kNaN, testing::kInfinity}) {
    Matrix x = sample_matrix(10, 2, 1);
    x(9, 1) = bad;
    EXPECT_THROW(max_t(x), std::invalid_argument);
  }
  Matrix misshapen = sample_matrix(10, 2, 1);
  misshapen.data.pop_back();
  EXPECT_THROW(max_t(misshapen), std::invalid_argument);
}

TEST(MaxT, DoesNotDependOnTheNumberOfThreads) {
  for (const std::size_t rounds : {3U, 10U, 21U}) {
    const Matrix x = testing::sample_matrix(rounds, 19, rounds, 0.002);
    const MaxT one = max_t(x, 2.0, 1, 3001);
    for (const std::size_t threads : {0U, 2U, 3U, 16U}) {
      const MaxT many = max_t(x, 2.0, 1, 3001, threads);
      EXPECT_EQ(many.p_raw, one.p_raw);
      EXPECT_EQ(many.p_single, one.p_single);
      EXPECT_EQ(many.p_adjusted, one.p_adjusted);
      EXPECT_EQ(many.flips, one.flips);
    }
  }
}

}  // namespace
}  // namespace perfgate::stats
