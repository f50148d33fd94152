// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/stored.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using testing::sample_matrix;

// p-values again from the definition, listing row choices as bit masks.
std::vector<double> stored_oracle(const Matrix& base, const Matrix& cand,
                                  const std::vector<double>& taus) {
  const std::size_t K = base.rows;
  const std::size_t n = K + cand.rows;
  std::vector<std::vector<double>> u(base.cols, std::vector<double>(n));
  for (std::size_t c = 0; c < base.cols; ++c) {
    double sum = 0.0;
    for (std::size_t r = 0; r < n; ++r) {
      u[c][r] = r < K ? base(r, c) : cand(r - K, c) - taus[c];
      sum += u[c][r];
    }
    double squares = 0.0;
    for (double& value : u[c]) {
      value -= sum / static_cast<double>(n);
      squares += value * value;
    }
    for (double& value : u[c]) {
      value /= std::sqrt(squares);
    }
  }
  const auto statistic = [&](std::size_t c, unsigned mask) {
    double t = 0.0;
    for (std::size_t r = 0; r < n; ++r) {
      t += ((mask >> r) & 1U) != 0 ? u[c][r] : 0.0;
    }
    return t;
  };
  const unsigned observed = ((1U << n) - 1U) & ~((1U << K) - 1U);
  std::vector<double> p;
  for (std::size_t c = 0; c < base.cols; ++c) {
    int total = 0;
    int reached = 0;
    for (unsigned mask = 0; mask < (1U << n); ++mask) {
      if (static_cast<std::size_t>(std::popcount(mask)) != cand.rows) {
        continue;
      }
      ++total;
      bool any = false;
      for (std::size_t b = 0; b < base.cols; ++b) {
        any = any || statistic(b, mask) >= statistic(c, observed) - 1e-9;
      }
      reached += static_cast<int>(any);
    }
    p.push_back(static_cast<double>(reached) / total);
  }
  return p;
}

TEST(CompareStored, EqualsTheDefinition) {
  for (const auto& [K, k] : {std::pair{7U, 3U}, {3U, 1U}, {1U, 3U}, {6U, 5U}, {2U, 2U}}) {
    const Matrix base = sample_matrix(K, 4, K);
    const Matrix cand = sample_matrix(k, 4, 50 + k, 0.02);
    const std::vector<double> taus = {0.0, 0.01, 0.02, 0.03};
    const Stored stored = compare_stored(base, cand, taus);
    const std::vector<double> expected = stored_oracle(base, cand, taus);
    EXPECT_TRUE(stored.exact);
    EXPECT_EQ(stored.permutations, binomial(K + k, k));
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_EQ(stored.columns[c].p_adjusted, expected[c]) << K << " " << k << " " << c;
    }
  }
}

// Exactness over all ways to call 3 of 10 exchangeable sessions the candidate.
TEST(CompareStored, FalseAlarmsOverAllAssignmentsNeverExceedAlpha) {
  const Matrix sessions = sample_matrix(10, 3, 5);
  int assignments = 0;
  int alarms = 0;
  for (unsigned mask = 0; mask < 1024; ++mask) {
    if (std::popcount(mask) != 3) {
      continue;
    }
    Matrix base(7, 3);
    Matrix cand(3, 3);
    std::size_t in_base = 0;
    std::size_t in_cand = 0;
    for (std::size_t r = 0; r < 10; ++r) {
      const bool candidate = ((mask >> r) & 1U) != 0;
      for (std::size_t c = 0; c < 3; ++c) {
        (candidate ? cand(in_cand, c) : base(in_base, c)) = sessions(r, c);
      }
      ++(candidate ? in_cand : in_base);
    }
    const Stored stored = compare_stored(base, cand, std::vector<double>(3, 0.0), 0.1);
    ++assignments;
    alarms += static_cast<int>(std::any_of(
        stored.columns.begin(), stored.columns.end(),
        [](const StoredColumn& column) { return column.verdict == StoredStrength::kSuspected; }));
  }
  EXPECT_EQ(assignments, 120);
  EXPECT_LE(alarms, 12);
  EXPECT_GT(alarms, 0);
}

TEST(CompareStored, SamplesWhenThereAreTooManyChoices) {
  const Matrix base = sample_matrix(30, 2, 1);
  Matrix cand = sample_matrix(10, 2, 2);
  for (std::size_t r = 0; r < 10; ++r) {
    cand(r, 0) += 0.2;
  }
  const std::vector<double> taus(2, 0.0);
  const Stored stored = compare_stored(base, cand, taus);
  EXPECT_FALSE(stored.exact);
  EXPECT_EQ(stored.permutations, 20000.0);
  EXPECT_EQ(stored.columns[0].p_adjusted, 1.0 / 20000);
  EXPECT_GT(stored.columns[1].p_adjusted, 0.01);
  EXPECT_EQ(compare_stored(base, cand, taus).columns[1].p_adjusted, stored.columns[1].p_adjusted);
  // Symmetric data, no difference: about half of the choices are at least as large.
  Matrix same(10, 1);
  Matrix base_one(30, 1);
  for (std::size_t r = 0; r < 30; ++r) {
    base_one(r, 0) = r % 2 == 0 ? 1.0 : -1.0;
  }
  for (std::size_t r = 0; r < 10; ++r) {
    same(r, 0) = r % 2 == 0 ? 1.0 : -1.0;
  }
  const double p = compare_stored(base_one, same, std::vector<double>{0.0}).columns[0].p_adjusted;
  // P(hypergeometric(40, 20, 10) >= 5) = .6398
  EXPECT_NEAR(p, 0.6398, 0.015);
}

TEST(CompareStored, VerdictIsClosedAtAlpha) {
  const Matrix base = sample_matrix(7, 1, 1);
  const Matrix cand = sample_matrix(3, 1, 2, 1.0);
  const std::vector<double> taus(1, 0.0);
  ASSERT_EQ(compare_stored(base, cand, taus).columns[0].p_adjusted, 1.0 / 120);
  EXPECT_EQ(compare_stored(base, cand, taus, 1.0 / 120).columns[0].verdict,
            StoredStrength::kSuspected);
  // Below the smallest possible p there is neither a rejection nor the strength for one.
  const Stored below = compare_stored(base, cand, taus, 0.99 / 120);
  EXPECT_EQ(below.strength, StoredStrength::kAdvisory);
  EXPECT_EQ(below.columns[0].verdict, StoredStrength::kNone);
}

TEST(CompareStored, ConstantColumnsGiveNoEvidence) {
  const Stored stored = compare_stored(Matrix(7, 1), Matrix(3, 1), std::vector<double>{0.0});
  EXPECT_EQ(stored.columns[0].p_adjusted, 1.0);
  EXPECT_EQ(stored.columns[0].verdict, StoredStrength::kNone);
}

TEST(CompareStored, IntervalIsCentredOnTheDeltaAndIgnoresTheTolerance) {
  const Matrix base = sample_matrix(8, 1, 1);
  const Matrix cand = sample_matrix(4, 1, 2, 0.1);
  const StoredColumn a = compare_stored(base, cand, std::vector<double>{0.0}).columns[0];
  const StoredColumn b = compare_stored(base, cand, std::vector<double>{0.5}).columns[0];
  EXPECT_NEAR((a.interval->lo + a.interval->hi) / 2.0, a.delta, 1e-15);
  EXPECT_EQ(a.interval->hi, b.interval->hi);
  EXPECT_LT(a.p_adjusted, b.p_adjusted);
  EXPECT_FALSE(
      compare_stored(sample_matrix(1, 1, 1), sample_matrix(1, 1, 2), std::vector<double>{0.0})
          .columns[0]
          .interval);
}

TEST(StoredStrength, NeedsSessionsOnBothSides) {
  EXPECT_EQ(stored_strength(1, 10), StoredStrength::kNone);
  EXPECT_EQ(stored_strength(10, 1), StoredStrength::kNone);
  EXPECT_EQ(stored_strength(13, 2), StoredStrength::kAdvisory);
  EXPECT_EQ(stored_strength(6, 3), StoredStrength::kAdvisory);  // C(9, 3) = 84
  EXPECT_EQ(stored_strength(7, 3), StoredStrength::kSuspected);
  EXPECT_EQ(stored_strength(7, 3, 0.005), StoredStrength::kAdvisory);
}

TEST(Binomial, IsExact) {
  EXPECT_EQ(binomial(10, 3), 120.0);
  EXPECT_EQ(binomial(5, 0), 1.0);
  EXPECT_EQ(binomial(3, 5), 0.0);
  EXPECT_EQ(binomial(50, 25), 126410606437752.0);
  for (std::size_t n = 1; n < 50; ++n) {
    for (std::size_t k = 1; k <= n; ++k) {
      ASSERT_EQ(binomial(n, k), binomial(n - 1, k - 1) + binomial(n - 1, k));
    }
  }
}

TEST(CompareStored, RefusesWhatItCannotCompute) {
  const Matrix base = sample_matrix(7, 2, 1);
  const Matrix cand = sample_matrix(3, 2, 2);
  const std::vector<double> taus(2, 0.0);
  EXPECT_THROW(compare_stored(Matrix(0, 2), cand, taus), std::invalid_argument);
  EXPECT_THROW(compare_stored(base, Matrix(0, 2), taus), std::invalid_argument);
  EXPECT_THROW(compare_stored(base, Matrix(3, 1), taus), std::invalid_argument);
  EXPECT_THROW(compare_stored(base, cand, std::vector<double>{0.0}), std::invalid_argument);
  EXPECT_THROW(compare_stored(base, cand, taus, 0.0), std::invalid_argument);
  EXPECT_THROW(compare_stored(base, cand, std::vector<double>{0.0, testing::kNaN}),
               std::invalid_argument);
  Matrix bad = cand;
  bad(1, 1) = testing::kNaN;
  EXPECT_THROW(compare_stored(base, bad, taus), std::invalid_argument);
  bad(1, 1) = 1.7e308;
  EXPECT_THROW(compare_stored(base, bad, taus), std::invalid_argument);
  bad = base;
  bad(0, 0) = testing::kInfinity;
  EXPECT_THROW(compare_stored(bad, cand, taus), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
