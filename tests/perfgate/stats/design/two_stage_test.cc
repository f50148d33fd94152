// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/two_stage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "perfgate/stats/estimate/order_statistics.h"

namespace perfgate::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// n x variance of the median of n normal values, from the tabulated variances and covariances of
// normal order statistics (Sarhan and Greenberg, 1962).
TEST(MedianVarianceFactor, IsAsTabulated) {
  const std::pair<int, double> known[] = {
      {1, 1.0},         {2, 1.0},         {3, 3 * .448671}, {4, 4 * .298225}, {5, 5 * .286834},
      {6, 6 * .214743}, {7, 7 * .210447}, {8, 8 * .168203}, {9, 9 * .166102}, {10, 10 * .138328}};
  for (const auto& [n, factor] : known) {
    EXPECT_NEAR(median_variance_factor(n), factor, 2e-4) << n;
  }
}

TEST(MedianVarianceFactor, RisesToHalfPiWithinItsKind) {
  for (const int first : {1, 2}) {
    double before = 0;
    for (const int n : {first, first + 2, first + 4, first + 20, first + 100, first + 998}) {
      const double factor = median_variance_factor(n);
      EXPECT_GT(factor, before) << n;
      EXPECT_LT(factor, M_PI / 2) << n;
      before = factor;
    }
    EXPECT_NEAR(before, M_PI / 2, 0.003);
  }
}

TEST(MedianVarianceFactor, IsWhatSimulationFinds) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const int n : {4, 11, 32}) {
    constexpr int kTrials = 40000;
    double squares = 0;
    for (int t = 0; t < kTrials; ++t) {
      std::vector<double> values(static_cast<std::size_t>(n));
      for (double& value : values) value = normal(random);
      squares += std::pow(median(values), 2);
    }
    const double simulated = n * squares / kTrials;
    EXPECT_NEAR(simulated / median_variance_factor(n), 1, 4 * std::sqrt(2.0 / kTrials)) << n;
  }
}

std::vector<std::vector<double>> normal_pairs(int rounds, int pairs, double between, double within,
                                              std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> result;
  for (int r = 0; r < rounds; ++r) {
    const double launch = between * normal(random);
    std::vector<double>& of_round = result.emplace_back();
    for (int p = 0; p < pairs; ++p) of_round.push_back(launch + within * normal(random));
  }
  return result;
}

TEST(PairSd, IsTheSdInsideRoundsWhateverTheLaunchesDo) {
  for (const double between : {0.0, 1.0, 50.0}) {
    for (const int pairs : {2, 4, 40}) {
      const auto rounds = normal_pairs(4000, pairs, between, 0.3, 7);
      EXPECT_NEAR(pair_sd(rounds), 0.3, 0.01) << between << " " << pairs;
    }
  }
}

TEST(PairSd, DoesNotMindWildPairs) {
  auto rounds = normal_pairs(400, 4, 1, 0.3, 8);
  for (std::size_t r = 0; r < rounds.size(); r += 3) rounds[r][1] = 1000;
  EXPECT_LT(pair_sd(rounds), 0.45);
  EXPECT_GT(pair_sd(rounds), 0.28);
}

TEST(PairSd, OfRoundsWithoutPairsIsZero) {
  EXPECT_EQ(pair_sd({}), 0);
  EXPECT_EQ(pair_sd(std::vector<std::vector<double>>{{}, {1}, {2}}), 0);
  EXPECT_EQ(pair_sd(std::vector<std::vector<double>>{{1, 1}, {2, 2}}), 0);
  EXPECT_GT(pair_sd(std::vector<std::vector<double>>{{}, {1, 2}}), 1);
  EXPECT_THROW(pair_sd(std::vector<std::vector<double>>{{1, kNan}}), std::invalid_argument);
  EXPECT_THROW(pair_sd(std::vector<std::vector<double>>{{1, kInf}}), std::invalid_argument);
}

TEST(PairSd, TakesTimeLinearInThePairs) {
  const auto rounds = normal_pairs(2, 500'000, 1, 0.3, 9);
  EXPECT_NEAR(pair_sd(rounds), 0.3, 0.003);
}

TEST(NoiseParts, SplitAndJoinAreInverse) {
  for (const double between : {0.0, 0.01, 2.0}) {
    for (const double within : {0.0, 0.02, 3.0}) {
      for (const int pairs : {1, 2, 3, 4, 17}) {
        const double sd = round_sd_of({within, between}, pairs);
        const NoiseParts parts = split_noise(sd, within, pairs);
        EXPECT_EQ(parts.within, within);
        EXPECT_NEAR(parts.between, between, 1e-7) << within << " " << pairs;
      }
    }
  }
  EXPECT_EQ(split_noise(0.1, 5, 1).between, 0);  // the pairs explain more than there is
  EXPECT_DOUBLE_EQ(round_sd_of({3, 4}, 1), 5);
  EXPECT_DOUBLE_EQ(round_sd_of({3, 0}, 2), 3 / std::sqrt(2.0));
}

TEST(NoiseParts, PredictTheMedianOfOtherNumbersOfPairs) {
  constexpr int kRounds = 6000;
  const auto four = normal_pairs(kRounds, 4, 0.5, 1.0, 10);
  std::vector<double> medians;
  medians.reserve(four.size());
  for (const auto& pairs : four) medians.push_back(median(pairs));
  const NoiseParts parts = split_noise(sample_sd(medians), pair_sd(four), 4);
  EXPECT_NEAR(parts.between, 0.5, 0.03);
  for (const int pairs : {1, 2, 9, 16}) {
    std::vector<double> d;
    for (const auto& round : normal_pairs(kRounds, pairs, 0.5, 1.0, 11)) d.push_back(median(round));
    EXPECT_NEAR(round_sd_of(parts, pairs) / sample_sd(d), 1, 0.05) << pairs;
  }
}

TEST(NoiseParts, RefuseWhatIsNoNumber) {
  EXPECT_THROW(median_variance_factor(0), std::invalid_argument);
  EXPECT_THROW(median_variance_factor(1001), std::invalid_argument);
  for (const double bad : {-1.0, kNan, kInf}) {
    EXPECT_THROW(split_noise(bad, 1, 4), std::invalid_argument);
    EXPECT_THROW(split_noise(1, bad, 4), std::invalid_argument);
    EXPECT_THROW(round_sd_of({bad, 1}, 4), std::invalid_argument);
    EXPECT_THROW(round_sd_of({1, bad}, 4), std::invalid_argument);
  }
  EXPECT_THROW(split_noise(1, 1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
