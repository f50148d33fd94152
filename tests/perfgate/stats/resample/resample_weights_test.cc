// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/resample_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "perfgate/stats/inference/sign_flips.h"

namespace perfgate::stats {
namespace {

TEST(ResampleWeights, CountTheDrawsOfTheGenerator) {
  const ResampleWeights weights = resample_weights(7, 20, 5);
  ASSERT_EQ(weights.counts.size(), 140U);
  std::vector<double> expected(140, 0.0);
  for (std::size_t draw = 0; draw < 140; ++draw) {
    expected[draw / 7 * 7 + bounded(splitmix64(5, draw), 7)] += 1.0;
  }
  EXPECT_EQ(weights.counts, expected);
}

TEST(ResampleWeights, AddUpToTheNumberOfRounds) {
  for (const std::size_t n : {1U, 2U, 20U, 333U}) {
    const ResampleWeights weights = resample_weights(n, 50);
    for (std::size_t b = 0; b < 50; ++b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += weights.counts[b * n + i];
      EXPECT_EQ(sum, static_cast<double>(n));
    }
  }
}

// Every round is drawn equally often and every count is binomial(n, 1/n): mean 1, variance 1 - 1/n.
TEST(ResampleWeights, AreMultinomial) {
  const std::size_t n = 10;
  const std::size_t resamples = 20000;
  const ResampleWeights weights = resample_weights(n, resamples);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t b = 0; b < resamples; ++b) {
      const double count = weights.counts[b * n + i];
      sum += count;
      squares += (count - 1.0) * (count - 1.0);
    }
    const double se = std::sqrt(0.9 / static_cast<double>(resamples));
    EXPECT_NEAR(sum / static_cast<double>(resamples), 1.0, 5.0 * se);
    EXPECT_NEAR(squares / static_cast<double>(resamples), 0.9, 10.0 * se);
  }
}

TEST(ResampleWeights, DependOnTheSeedAlone) {
  EXPECT_EQ(resample_weights(9, 9, 3).counts, resample_weights(9, 9, 3).counts);
  EXPECT_NE(resample_weights(9, 9, 3).counts, resample_weights(9, 9, 4).counts);
}

TEST(ResampleWeights, RefuseNothingAndTooMuch) {
  EXPECT_THROW(resample_weights(0, 10), std::invalid_argument);
  EXPECT_THROW(resample_weights(10, 0), std::invalid_argument);
  EXPECT_THROW(resample_weights(2000000, 10000), std::invalid_argument);
  EXPECT_NO_THROW(resample_weights(2000000, 2));
}

}  // namespace
}  // namespace perfgate::stats
