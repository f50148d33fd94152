// SPDX-License-Identifier: Apache-2.0
// Each rounding of hf_exact, bit for bit, against a second writing of what transformers computes.
// The sizes make every rounding matter: without any one of them, results differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "engine/ops/cpu/cpu_hf_exact.h"
#include "kernels/bf16.h"
#include "tests/engine/numbers.h"

namespace engine {
namespace {

// To the nearest of the 16 upper bits, ties to even.
float B(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7fffU + (bits >> 16U & 1U)) & 0xffff0000U);
}
float F(double value) { return static_cast<float>(value); }

std::vector<float> Random(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-2, 2);
  std::vector<float> values(count);
  for (float& value : values) {
    value = B(uniform(random));
  }
  return values;
}

ConstView View32(const std::vector<float>& values) { return std::span<const float>(values); }

class HfExact : public ::testing::Test {
 protected:
  static EngineOptions Options() {
    EngineOptions options;
    options.threads = 1;
    options.numerics = NumericsMode::kHfExact;
    return options;
  }
  CpuHfExactOps ops_{Options()};
};

TEST_F(HfExact, NormIsRoundedBeforeItsWeight) {
  constexpr std::size_t kCols = 200;
  std::vector<float> x = Random(kCols, 1), y(kCols);
  const std::vector<float> weight = Random(kCols, 2);
  ops_.RmsNorm({x.data(), 1, kCols}, View32(weight), 1e-5F, {y.data(), 1, kCols});
  double squares = 0;
  for (const float v : x) {
    squares += D(v) * D(v);
  }
  const float scale = 1 / std::sqrt(F(squares / kCols) + 1e-5F);
  for (std::size_t i = 0; i < kCols; ++i) {
    ASSERT_EQ(y[i], B(B(x[i] * scale) * weight[i])) << i;
  }
}

TEST_F(HfExact, ProductsWithTheirBiasAreRoundedOnce) {
  constexpr std::size_t kIn = 64, kOut = 50;
  std::vector<float> x = Random(kIn, 1), y(kOut);
  const std::vector<float> weight = Random(kIn * kOut, 2), bias = Random(kOut, 3);
  const Weight part{kOut, kIn, View32(weight), {}, View32(bias)};
  ops_.Linear({x.data(), 1, kIn}, {&part, 1}, {y.data(), 1, kOut});
  std::size_t same = 0;
  for (std::size_t n = 0; n < kOut; ++n) {
    double sum = 0;
    for (std::size_t k = 0; k < kIn; ++k) {
      sum += D(weight[n * kIn + k]) * D(x[k]);
    }
    ASSERT_EQ(y[n], B(y[n]));
    same += y[n] == B(F(sum) + bias[n]) ? 1 : 0;
  }
  EXPECT_GE(same, kOut - 1) << "an f32 sum in another order may fall on the other side of a tie";
}

TEST_F(HfExact, RotationRoundsTableProductsAndSum) {
  constexpr std::size_t kDim = 40, kHalf = kDim / 2;
  const AttentionShape shape{1, 1, kDim, 1, 1, 1};
  std::vector<float> cos, sin, qkv = Random(3 * kDim, 1);
  for (std::size_t i = 0; i < kHalf; ++i) {
    cos.push_back(F(std::cos(0.3 + 0.1 * static_cast<double>(i))));
    sin.push_back(F(std::sin(0.3 + 0.1 * static_cast<double>(i))));
  }
  const std::vector<float> given = qkv;
  std::vector<kernels::Bf16> k(kDim), v(kDim);
  const std::int32_t zero = 0;
  ops_.RopeAppendKv(shape, {View32(cos), View32(sin)}, {nullptr, &zero, &zero},
                    {qkv.data(), 1, 3 * kDim},
                    {std::span<kernels::Bf16>(k), std::span<kernels::Bf16>(v)});
  for (std::size_t i = 0; i < kHalf; ++i) {
    const float c = B(cos[i]), s = B(sin[i]), a = given[i], b = given[i + kHalf];
    ASSERT_EQ(qkv[i], B(B(a * c) - B(b * s))) << i;
    ASSERT_EQ(qkv[i + kHalf], B(B(b * c) + B(a * s))) << i;
    const float ka = given[kDim + i], kb = given[kDim + i + kHalf];
    ASSERT_EQ(kernels::ToFloat(k[i]), B(B(ka * c) - B(kb * s))) << i;
    ASSERT_EQ(kernels::ToFloat(v[i]), given[2 * kDim + i]) << i;
  }
}

// A scale that is no power of two, so that q k and its multiple are two roundings.
TEST_F(HfExact, AttentionRoundsScoresWeightsAndSum) {
  constexpr std::size_t kDim = 30, kLength = 25;
  const AttentionShape shape{2, 1, kDim, 1, kLength, 0.1826F};
  std::vector<float> q = Random(4 * kDim, 1), out(2 * kDim);
  const std::vector<float> keys = Random(kLength * kDim, 2), values = Random(kLength * kDim, 3);
  std::vector<kernels::Bf16> k, v;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    k.push_back(kernels::ToBf16(keys[i]));
    v.push_back(kernels::ToBf16(values[i]));
  }
  const std::int32_t position = kLength - 1, sequence = 0;
  ops_.Attend(shape, {nullptr, &position, &sequence}, {q.data(), 1, 4 * kDim},
              {std::span<kernels::Bf16>(k), std::span<kernels::Bf16>(v)}, kLength,
              {out.data(), 1, 2 * kDim});
  for (std::size_t head = 0; head < 2; ++head) {
    std::vector<float> weight;
    float largest = -std::numeric_limits<float>::infinity();
    for (std::size_t t = 0; t < kLength; ++t) {
      double score = 0;
      for (std::size_t i = 0; i < kDim; ++i) {
        score += D(q[head * kDim + i]) * D(keys[t * kDim + i]);
      }
      weight.push_back(B(B(F(score)) * shape.scale));
      largest = std::max(largest, weight.back());
    }
    double total = 0;
    for (float& w : weight) {
      w = std::exp(w - largest);
      total += D(w);
    }
    for (std::size_t i = 0; i < kDim; ++i) {
      double sum = 0;
      for (std::size_t t = 0; t < kLength; ++t) {
        sum += D(B(F(D(weight[t]) / total))) * D(values[t * kDim + i]);
      }
      ASSERT_EQ(out[head * kDim + i], B(F(sum))) << head << " " << i;
    }
  }
}

TEST_F(HfExact, SiluIsRoundedBeforeUp) {
  constexpr std::size_t kCols = 200;
  std::vector<float> gate_up = Random(2 * kCols, 1), y(kCols);
  ops_.SiluMul({gate_up.data(), 1, 2 * kCols}, {y.data(), 1, kCols});
  for (std::size_t i = 0; i < kCols; ++i) {
    const float silu = B(gate_up[i] / (1 + std::exp(-gate_up[i])));
    ASSERT_EQ(y[i], B(silu * gate_up[kCols + i])) << i;
  }
}

TEST_F(HfExact, ResidualsAreRounded) {
  std::vector<float> x = Random(100, 1), sum = Random(100, 2);
  const std::vector<float> before = sum;
  ops_.Add({x.data(), 1, 100}, {sum.data(), 1, 100});
  for (std::size_t i = 0; i < 100; ++i) {
    ASSERT_EQ(sum[i], B(before[i] + x[i])) << i;
  }
}

}  // namespace
}  // namespace engine
