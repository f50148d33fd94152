// SPDX-License-Identifier: Apache-2.0
// Exactness without simulation. When every round's joint vector is as likely as its negative, the
// data seen are a uniform draw from the 2^n sign-flipped copies of themselves. So the share of
// copies that a test rejects is its false-alarm rate, whatever the data: here it is counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/stats/inference/max_t.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

Matrix orbit_of(const Matrix& x, std::size_t mask) {
  Matrix copy = x;
  for (std::size_t r = 0; r < x.rows; ++r) {
    for (std::size_t c = 0; c < x.cols; ++c) {
      if (((mask >> r) & 1U) != 0) copy(r, c) = -x(r, c);
    }
  }
  return copy;
}

std::size_t orbit(const Matrix& x) { return std::size_t{1} << x.rows; }

// Heavy tails and a shock per round that all columns share.
Matrix awkward(std::size_t rounds, std::size_t columns, std::uint64_t seed) {
  Matrix x = testing::sample_matrix(rounds, columns, seed);
  const std::vector<double> shock = testing::sample(rounds, seed + 100);
  for (std::size_t r = 0; r < rounds; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const double u = x(r, c) / 0.05;
      x(r, c) = 0.01 * u / (0.51 - std::fabs(u)) + 0.5 * shock[r];
    }
  }
  return x;
}

// Smallest adjusted p of every copy.
std::vector<double> smallest_p(const Matrix& x) {
  std::vector<double> smallest;
  for (std::size_t mask = 0; mask < orbit(x); ++mask) {
    const MaxT test = max_t(orbit_of(x, mask));
    smallest.push_back(*std::min_element(test.p_adjusted.begin(), test.p_adjusted.end()));
  }
  return smallest;
}

double share_at_most(const std::vector<double>& p, double alpha) {
  const auto count = std::count_if(p.begin(), p.end(), [&](double v) { return v <= alpha; });
  return static_cast<double>(count) / static_cast<double>(p.size());
}

TEST(FlipOrbit, TheTestRejectsAtMostAlphaOfItAtEveryAlpha) {
  for (const std::size_t rounds : {8U, 10U}) {
    for (const std::size_t columns : {1U, 2U, 5U}) {
      const std::vector<double> p = smallest_p(awkward(rounds, columns, rounds + columns));
      const std::set<double> attainable(p.begin(), p.end());
      for (const double alpha : attainable) {
        // Without ties the largest score takes a different value in every copy: exactly alpha.
        EXPECT_EQ(share_at_most(p, alpha), alpha) << rounds << " rounds, " << columns;
      }
      EXPECT_LE(share_at_most(p, 0.01), 0.01);
      EXPECT_EQ(share_at_most(p, 1.0), 1.0);
    }
  }
}

TEST(FlipOrbit, TiesAndEmptyColumnsOnlyMakeItStricter) {
  Matrix x = awkward(9, 4, 3);
  for (std::size_t r = 0; r < x.rows; ++r) {
    x(r, 1) = r % 3 == 0 ? 1.0 : -1.0;  // ties
    x(r, 2) = 0.0;
    x(r, 3) = x(r, 0);  // a copy of another column
  }
  const std::vector<double> p = smallest_p(x);
  for (const double alpha : std::set<double>(p.begin(), p.end())) {
    EXPECT_LE(share_at_most(p, alpha), alpha);
  }
}

// Columns 0 and 1 really are slower: flips concern the deviations from their true shifts. A false
// alarm is a rejection among the columns 2 to 4, with the slow ones in the family.
TEST(FlipOrbit, StepDownKeepsTheErrorBesideTrueRegressions) {
  const Matrix noise = awkward(9, 5, 11);
  std::vector<double> p;
  for (std::size_t mask = 0; mask < orbit(noise); ++mask) {
    Matrix x = orbit_of(noise, mask);
    for (std::size_t r = 0; r < x.rows; ++r) {
      x(r, 0) += 1.0;
      x(r, 1) += 0.05;
    }
    const MaxT test = max_t(x);
    p.push_back(*std::min_element(test.p_adjusted.begin() + 2, test.p_adjusted.end()));
  }
  for (const double alpha : {2.0 / 512, 0.01, 0.02, 0.05, 0.1, 0.25}) {
    EXPECT_LE(share_at_most(p, alpha), alpha);
  }
}

// Copies in which the gate fails any column. Column c is at its tolerance.
double failing_share(const Matrix& noise, const std::vector<Look>& looks, double tau) {
  const std::vector<double> taus(noise.cols, tau);
  std::size_t failed = 0;
  for (std::size_t mask = 0; mask < orbit(noise); ++mask) {
    Matrix d = orbit_of(noise, mask);
    for (double& v : d.data) v += tau;
    failed += run_gate(d, taus, looks).suite == Outcome::kFail ? 1 : 0;
  }
  return static_cast<double>(failed) / static_cast<double>(orbit(noise));
}

// All looks together: each spends its own alpha. That columns which passed leave the family could
// in theory add a little; here it does not.
TEST(FlipOrbit, TheWholeGateFailsAtMostTheSumOfItsAlphas) {
  const std::vector<Look> looks = {{6, 0.0}, {10, 0.01}, {11, 0.01}};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const double share = failing_share(awkward(11, 3, seed), looks, 0.02);
    EXPECT_LE(share, 0.02) << seed;
    EXPECT_GT(share, 0.005) << seed;  // the level is used, not given away
  }
}

// Columns far below their tolerance pass at 6 rounds and leave the family: the choice of who is
// left is made with the same rounds.
TEST(FlipOrbit, ColumnsThatPassedDoNotRaiseTheErrorOfTheRest) {
  const std::vector<Look> looks = {{6, 0.0}, {10, 0.01}, {11, 0.01}};
  const std::vector<double> taus(5, 0.02);
  for (const std::uint64_t seed : {4U, 5U}) {
    const Matrix noise = awkward(11, 5, seed);
    std::size_t failed = 0;
    std::size_t passed = 0;
    for (std::size_t mask = 0; mask < orbit(noise); ++mask) {
      Matrix d = orbit_of(noise, mask);
      for (std::size_t r = 0; r < d.rows; ++r) {
        for (std::size_t c = 0; c < d.cols; ++c) d(r, c) += c < 2 ? 0.02 : -0.02;
      }
      const GateRun run = run_gate(d, taus, looks);
      failed += run.suite == Outcome::kFail ? 1 : 0;
      passed += run.columns[4].outcome == Outcome::kPass ? 1 : 0;
    }
    EXPECT_LE(static_cast<double>(failed), 0.02 * static_cast<double>(orbit(noise))) << seed;
    EXPECT_GT(passed, orbit(noise) / 4) << seed;  // the family really shrinks
  }
}

// What the coins are for: with a role that is always slower, the flips are not equally likely.
TEST(FlipOrbit, AFixedRoleBreaksIt) {
  Matrix noise = awkward(11, 3, 1);
  const std::vector<Look> looks = {{6, 0.0}, {10, 0.01}, {11, 0.01}};
  const std::vector<double> taus(3, 0.02);
  std::size_t failed = 0;
  for (std::size_t mask = 0; mask < orbit(noise); ++mask) {
    Matrix d = orbit_of(noise, mask);
    for (double& v : d.data) v += 0.02 + 0.03;  // the slot's own slowness, in every round
    failed += run_gate(d, taus, looks).suite == Outcome::kFail ? 1 : 0;
  }
  EXPECT_GT(static_cast<double>(failed) / static_cast<double>(orbit(noise)), 0.10);
}

}  // namespace
}  // namespace perfgate::stats
