// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/parity.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using testing::sample;

constexpr std::array<int, 5> kLooks = {6, 10, 16, 24, 40};

std::vector<double> paired_around(double centre, std::size_t n, double scale, unsigned seed = 1) {
  std::vector<double> d = sample(n, seed, scale);
  for (double& value : d) {
    value += centre;
  }
  return d;
}

std::vector<double> negated(std::vector<double> d) {
  for (double& value : d) {
    value = -value;
  }
  return d;
}

TEST(Parity, NamesEachOutcome) {
  EXPECT_EQ(parity_fixed(paired_around(0.0, 10, 0.01), 0.05).outcome, ParityOutcome::kMatch);
  EXPECT_EQ(parity_fixed(paired_around(0.1, 10, 0.01), 0.05).outcome, ParityOutcome::kLoss);
  EXPECT_EQ(parity_fixed(paired_around(-0.1, 10, 0.01), 0.05).outcome, ParityOutcome::kWin);
  EXPECT_EQ(parity_fixed(paired_around(0.05, 10, 0.1), 0.05).outcome, ParityOutcome::kUnresolved);
}

// Exchanging the two sides turns WIN into LOSS and leaves the rest.
TEST(Parity, ExchangingTheSidesMirrorsTheOutcome) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const double centre = -0.12 + 0.0012 * seed;
    const std::vector<double> d = paired_around(centre, 12, 0.06, seed);
    const ParityOutcome there = parity_fixed(d, 0.05).outcome;
    const ParityOutcome back = parity_fixed(negated(d), 0.05).outcome;
    if (there == ParityOutcome::kWin) {
      EXPECT_EQ(back, ParityOutcome::kLoss);
    } else if (there == ParityOutcome::kLoss) {
      EXPECT_EQ(back, ParityOutcome::kWin);
    } else {
      EXPECT_EQ(back, there);
    }
  }
}

TEST(Parity, BoundsAreStrict) {
  // All rounds exactly on the margin: neither inside nor beyond.
  for (const double side : {1.0, -1.0}) {
    const std::vector<double> d(10, side * std::log1p(0.05));
    EXPECT_EQ(parity_fixed(d, 0.05).outcome, ParityOutcome::kUnresolved);
  }
  EXPECT_FALSE(parity_fixed(std::vector<double>(10, std::log1p(0.05)), 0.05).non_inferior);
  EXPECT_TRUE(parity_fixed(std::vector<double>(10, -std::log1p(0.05)), 0.05).non_inferior);
}

TEST(Parity, AWinIsNonInferiorWithoutBeingAMatch) {
  const Parity win = parity_fixed(paired_around(-0.1, 10, 0.01), 0.05);
  EXPECT_TRUE(win.non_inferior);
  EXPECT_FALSE(parity_fixed(paired_around(0.1, 10, 0.01), 0.05).non_inferior);
}

TEST(Parity, FewerThanSixRoundsResolveNothing) {
  const Parity parity = parity_fixed(paired_around(0.0, 5, 1e-6), 0.05);
  EXPECT_EQ(parity.outcome, ParityOutcome::kUnresolved);
  EXPECT_FALSE(parity.match.valid);
  EXPECT_FALSE(parity.non_inferior);
  EXPECT_EQ(parity_sequential(paired_around(0.0, 5, 1e-6), 0.05, kLooks).outcome,
            ParityOutcome::kUnresolved);
}

TEST(Parity, SequentialStopsAtTheFirstResult) {
  EXPECT_EQ(parity_sequential(paired_around(0.0, 40, 0.01), 0.05, kLooks).rounds, 6);
  std::vector<double> d = paired_around(0.0, 40, 0.01);
  d[5] = 1.0;  // reaches into the interval at 6 and 10 rounds, not at 16
  const Parity later = parity_sequential(d, 0.05, kLooks);
  EXPECT_EQ(later.rounds, 16);
  EXPECT_EQ(later.outcome, ParityOutcome::kMatch);
}

TEST(Parity, SequentialUsesOneLevelForBothIntervals) {
  const std::vector<double> d = paired_around(0.05, 16, 0.02);
  const Parity parity = parity_at_look(d, 0.05);
  EXPECT_EQ(parity.match.lo, parity.superiority.lo);
  EXPECT_EQ(parity.match.hi, signed_rank_interval(d, 0.01).hi);
}

TEST(Parity, NothingIsTestedBetweenLooks) {
  std::vector<double> d = paired_around(0.0, 14, 0.01);
  d[5] = 0.2;
  const std::array<int, 2> looks = {6, 16};
  ASSERT_EQ(parity_at_look(std::span(d).first(6), 0.05).outcome, ParityOutcome::kUnresolved);
  ASSERT_EQ(parity_at_look(d, 0.05).outcome, ParityOutcome::kMatch);
  const Parity parity = parity_sequential(d, 0.05, looks);
  EXPECT_EQ(parity.outcome, ParityOutcome::kUnresolved);
  EXPECT_EQ(parity.rounds, 14);
}

TEST(Parity, RoundsBeyondTheLastLookAreNotUsed) {
  EXPECT_EQ(parity_sequential(paired_around(0.05, 50, 0.2), 0.05, kLooks).rounds, 40);
}

TEST(Parity, RefusesWhatItCannotCompute) {
  const std::vector<double> d = paired_around(0.0, 10, 0.01);
  for (const double margin : {0.0, -0.05, testing::kNaN, testing::kInfinity}) {
    EXPECT_THROW(parity_fixed(d, margin), std::invalid_argument);
  }
  EXPECT_THROW(parity_at_look(std::vector<double>{}, 0.05), std::invalid_argument);
  EXPECT_THROW(parity_fixed(std::vector<double>{}, 0.05), std::invalid_argument);
  EXPECT_THROW(parity_sequential(d, 0.05, std::array<int, 2>{10, 6}), std::invalid_argument);
  EXPECT_THROW(parity_sequential(d, 0.05, std::array<int, 1>{5}), std::invalid_argument);
  EXPECT_THROW(parity_sequential(d, 0.05, std::span<const int>()), std::invalid_argument);
  std::vector<double> bad = d;
  bad[9] = testing::kNaN;
  EXPECT_THROW(parity_fixed(bad, 0.05), std::invalid_argument);
  // Even where an earlier look would have decided.
  EXPECT_THROW(parity_sequential(bad, 0.05, kLooks), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
