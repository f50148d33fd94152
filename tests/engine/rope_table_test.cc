// SPDX-License-Identifier: Apache-2.0
#include "engine/rope_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace engine {
namespace {

TEST(RopeTable, Frequencies) {
  const std::vector<double> f = RopeFrequencies({10000, {}}, 8);
  ASSERT_EQ(f.size(), 4U);
  EXPECT_DOUBLE_EQ(f[0], 1);
  EXPECT_NEAR(f[1], 0.1, 1e-15);
  EXPECT_NEAR(f[3], 0.001, 1e-15);
}

// Waves longer than original / low_freq_factor are stretched by the factor, those shorter than
// original / high_freq_factor stay, and the blend meets both at its ends.
TEST(RopeTable, Llama3) {
  const RopeConfig::Llama3 llama3{32, 1, 4, 8192};
  const std::vector<double> plain = RopeFrequencies({5e5, {}}, 64);
  const std::vector<double> scaled = RopeFrequencies({5e5, llama3}, 64);
  int blended = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const double wave = 2 * std::numbers::pi / plain[i];
    if (wave < 8192.0 / 4) {
      EXPECT_DOUBLE_EQ(scaled[i], plain[i]);
    } else if (wave > 8192) {
      EXPECT_DOUBLE_EQ(scaled[i], plain[i] / 32);
    } else {
      ++blended;
      EXPECT_TRUE(scaled[i] < plain[i] && scaled[i] > plain[i] / 32);
    }
  }
  EXPECT_GT(blended, 0);
}

TEST(RopeTable, AnglesOfBothModes) {
  const RopeConfig rope{10000, {}};
  const HostRopeTable fast = MakeRopeTable(rope, 64, 4097, NumericsMode::kFast);
  const HostRopeTable exact = MakeRopeTable(rope, 64, 4097, NumericsMode::kHfExact);
  EXPECT_EQ(fast.cos.size(), 4097U * 32);
  EXPECT_EQ(fast.cos[0], 1);
  EXPECT_EQ(fast.sin[0], 0);
  float largest = 0;
  for (std::size_t i = 0; i < fast.cos.size(); ++i) {
    EXPECT_NEAR(fast.cos[i] * fast.cos[i] + fast.sin[i] * fast.sin[i], 1, 2e-7);
    largest = std::max(largest, std::abs(fast.sin[i] - exact.sin[i]));
  }
  // At 4096 an f32 angle is off by at most half an ulp of the product, 1.2e-4, and what the rounded
  // frequency brings: 4096 x 2^-25.
  EXPECT_GT(largest, 1e-5F);
  EXPECT_LT(largest, 2.5e-4F);
  EXPECT_NEAR(fast.sin[4096 * 32], std::sin(4096.0), 1e-7);
}

}  // namespace
}  // namespace engine
