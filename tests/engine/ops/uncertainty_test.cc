// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/uncertainty.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace engine {
namespace {

TEST(Uncertainty, OfTwoTokens) {
  // Probabilities 3/4 and 1/4.
  const std::vector<float> logits = {1.0F, 1.0F + std::log(3.0F)};
  const Uncertainty u = UncertaintyOf(logits, 0);
  EXPECT_FLOAT_EQ(u.log_probability, std::log(0.25F));
  EXPECT_FLOAT_EQ(u.entropy, -0.75F * std::log(0.75F) - 0.25F * std::log(0.25F));
  EXPECT_FLOAT_EQ(u.margin, std::log(3.0F));
}

TEST(Uncertainty, OfEqualTokens) {
  const std::vector<float> logits(1000, -7.0F);
  const Uncertainty u = UncertaintyOf(logits, 999);
  EXPECT_FLOAT_EQ(u.log_probability, -std::log(1000.0F));
  EXPECT_FLOAT_EQ(u.entropy, std::log(1000.0F));
  EXPECT_EQ(u.margin, 0);
}

// One pass with a moving maximum gives what two passes give, in any order of the logits.
TEST(Uncertainty, OnePassIsTwo) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 5);
  for (int round = 0; round < 50; ++round) {
    std::vector<float> logits(257);
    for (float& x : logits) {
      x = normal(random) + (round % 2 == 0 ? 80.0F : -80.0F);
    }
    const auto max = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0, entropy = 0;
    for (const float x : logits) {
      sum += std::exp(static_cast<double>(x) - max);
    }
    for (const float x : logits) {
      const double p = std::exp(static_cast<double>(x) - max) / sum;
      entropy -= p * std::log(p);
    }
    const Uncertainty u = UncertaintyOf(logits, 17);
    EXPECT_NEAR(u.entropy, entropy, 1e-6 * (1 + entropy));
    EXPECT_NEAR(u.log_probability, static_cast<double>(logits[17]) - max - std::log(sum), 1e-5);
    std::sort(logits.begin(), logits.end());
    EXPECT_EQ(u.margin, logits[256] - logits[255]);
    EXPECT_NEAR(UncertaintyOf(logits, 0).entropy, entropy, 1e-6 * (1 + entropy));
  }
}

TEST(Uncertainty, ExcludedAndBrokenLogits) {
  const float inf = std::numeric_limits<float>::infinity();
  const Uncertainty u = UncertaintyOf(std::vector<float>{-inf, 0.0F, -inf}, 1);
  EXPECT_EQ(u.log_probability, 0);
  EXPECT_EQ(u.entropy, 0);
  EXPECT_EQ(u.margin, inf);
  EXPECT_EQ(UncertaintyOf(std::vector<float>{-inf, 0.0F, 0.0F}, 0).log_probability, -inf);
  const Uncertainty nan = UncertaintyOf(std::vector<float>{1.0F, std::nanf(""), 0.0F}, 0);
  EXPECT_TRUE(std::isnan(nan.log_probability) && std::isnan(nan.entropy));
}

}  // namespace
}  // namespace engine
