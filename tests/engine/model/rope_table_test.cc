// SPDX-License-Identifier: Apache-2.0
#include "engine/model/rope_table.h"

#include <gtest/gtest.h>

#include <bit>
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

// What transformers computes with torch 2.15 on a CPU, as bits.
TEST(RopeTable, HfFrequenciesAreThoseOfF32) {
  const std::vector<std::uint32_t> plain = {
      0x3f800000U, 0x3f3ff911U, 0x3f0ff59aU, 0x3ed7e89bU, 0x3ea1e89bU, 0x3e72d423U, 0x3e361887U,
      0x3e088d77U, 0x3dcccccdU, 0x3d99940dU, 0x3d6655c2U, 0x3d2cba15U, 0x3d0186e3U, 0x3cc2434fU,
      0x3c91ad39U, 0x3c5a7bf2U, 0x3c23d70aU, 0x3bf5b9b0U, 0x3bb8449cU, 0x3b8a2e77U, 0x3b4f3e38U,
      0x3b1b690dU, 0x3ae91528U, 0x3aaec98eU, 0x3a83126fU, 0x3a44948cU, 0x3a136a16U, 0x39dd1725U,
      0x39a5cb60U, 0x3978a815U, 0x393a7753U, 0x390bd472U};
  const std::vector<std::uint32_t> llama3 = {
      0x3f800000U, 0x3f29e1c6U, 0x3ee177bcU, 0x3e959ee3U, 0x3e4693b0U, 0x3e03c6a0U, 0x3daee4adU,
      0x3d681e67U, 0x3d1a08c8U, 0x3ccc6f49U, 0x3c87a9c3U, 0x3c340d6dU, 0x3beef74fU, 0x3b9e9402U,
      0x3b527720U, 0x3aa9279bU, 0x39e13620U, 0x38cb98f7U, 0x37a3418dU, 0x3758ac81U, 0x370fc8f8U,
      0x36bed4f4U, 0x367d45c3U, 0x3628126bU, 0x35df10c4U, 0x359406cbU, 0x35447610U, 0x35025f34U,
      0x34ad07a7U, 0x3465a54dU, 0x341864a7U, 0x33ca41b0U};
  const auto bits = [](const std::vector<float>& values) {
    std::vector<std::uint32_t> result;
    for (const float value : values) {
      result.push_back(std::bit_cast<std::uint32_t>(value));
    }
    return result;
  };
  EXPECT_EQ(bits(HfRopeFrequencies({10000, {}}, 64)), plain);
  EXPECT_EQ(bits(HfRopeFrequencies({5e5, RopeConfig::Llama3{32, 1, 4, 8192}}, 64)), llama3);
  const HostRopeTable table =
      MakeRopeTable({5e5, RopeConfig::Llama3{32, 1, 4, 8192}}, 64, 2, NumericsMode::kHfExact);
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(table.sin[32 + i],
              static_cast<float>(std::sin(static_cast<double>(std::bit_cast<float>(llama3[i])))));
  }
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
