// SPDX-License-Identifier: Apache-2.0
// Each op of the seam against its formula in float64, and each fused entry against its composition.
#include "engine/ops/cpu/cpu_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "engine/ops/cpu/cpu_hf_exact.h"
#include "kernels/bf16.h"
#include "kernels/gemv_mxfp4.h"
#include "tests/engine/numbers.h"

namespace engine {
namespace {

EngineOptions Threads(int threads) {
  EngineOptions options;
  options.threads = threads;
  return options;
}

struct Sheet {  // activations with poison in them
  Sheet(std::int64_t rows, std::int64_t cols)
      : values(static_cast<std::size_t>(rows * cols), std::nanf("")),
        view{values.data(), rows, cols} {}
  Sheet(std::int64_t rows, std::int64_t cols, unsigned seed) : Sheet(rows, cols) {
    values = Random(values.size(), seed);
    view.data = values.data();
  }
  std::vector<float> values;
  Rows view;
};

ConstView Floats(const std::vector<float>& values) { return std::span<const float>(values); }

TEST(CpuOps, LinearOfSeveralParts) {
  constexpr std::int64_t kRows = 3, kIn = 96;
  const std::int64_t sizes[] = {70, 33, 1};
  for (const int threads : {1, 3}) {
    CpuOps ops(Threads(threads));
    Sheet x(kRows, kIn, 1), y(kRows, 104);
    std::vector<std::vector<float>> weights, biases;
    std::vector<std::vector<kernels::Bf16>> halves;
    std::vector<Weight> parts;
    for (const std::int64_t n : sizes) {
      weights.push_back(Random(static_cast<std::size_t>(n * kIn), 2));
      biases.push_back(Random(static_cast<std::size_t>(n), 3));
    }
    for (std::size_t p = 0; p < 3; ++p) {
      halves.push_back(Halves(weights[p]));
      parts.push_back({sizes[p], kIn, Floats(weights[p]), {}, Floats(biases[p])});
    }
    parts[1].data = std::span<const kernels::Bf16>(halves[1]);
    parts[2].bias = {};
    ops.Linear(x.view, parts, y.view);
    std::vector<double> expected;
    for (std::int64_t m = 0; m < kRows; ++m) {
      for (std::size_t p = 0; p < 3; ++p) {
        for (std::int64_t n = 0; n < sizes[p]; ++n) {
          double sum = p == 2 ? 0 : D(biases[p][static_cast<std::size_t>(n)]);
          for (std::int64_t k = 0; k < kIn; ++k) {
            const auto at = static_cast<std::size_t>(n * kIn + k);
            const float w = p == 1 ? kernels::ToFloat(halves[p][at]) : weights[p][at];
            sum += D(w) * D(x.values[static_cast<std::size_t>(m * kIn + k)]);
          }
          expected.push_back(sum);
        }
      }
    }
    EXPECT_LT(RelativeL2(y.values, expected), 1e-6);
  }
}

TEST(CpuOps, LinearOfMxfp4) {
  constexpr std::int64_t kOut = 70, kIn = 64;
  std::mt19937 random(5);
  std::vector<std::uint8_t> blocks(kOut * kIn / 2), scales(kOut * kIn / 32);
  for (std::uint8_t& b : blocks) {
    b = static_cast<std::uint8_t>(random());
  }
  for (std::uint8_t& s : scales) {
    s = static_cast<std::uint8_t>(120 + random() % 10);
  }
  const Weight weight{kOut,
                      kIn,
                      {blocks.data(), blocks.size(), DType::kU8},
                      {scales.data(), scales.size(), DType::kU8},
                      {}};
  CpuOps ops(Threads(2));
  Sheet x(2, kIn, 1), y(2, kOut);
  ops.Linear(x.view, {&weight, 1}, y.view);
  std::vector<double> expected;
  for (std::size_t m = 0; m < 2; ++m) {
    for (std::size_t n = 0; n < kOut; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < kIn; ++k) {
        const std::size_t at = n * kIn + k;
        const unsigned code = at % 2 == 0 ? blocks[at / 2] : blocks[at / 2] >> 4U;
        sum += kernels::Mxfp4Scale(scales[at / 32]) * kernels::Mxfp4Value(code) *
               D(x.values[m * kIn + k]);
      }
      expected.push_back(sum);
    }
  }
  EXPECT_LT(RelativeL2(y.values, expected), 1e-6);
}

TEST(CpuOps, NormSiluAddEmbed) {
  CpuOps ops(Threads(2));
  Sheet x(5, 37, 1), y(5, 37);
  const std::vector<float> weight = Random(37, 2);
  ops.RmsNorm(x.view, Floats(weight), 1e-5F, y.view);
  std::vector<double> expected;
  for (std::size_t m = 0; m < 5; ++m) {
    double squares = 0;
    for (std::size_t i = 0; i < 37; ++i) {
      squares += D(x.values[m * 37 + i]) * D(x.values[m * 37 + i]);
    }
    for (std::size_t i = 0; i < 37; ++i) {
      expected.push_back(D(x.values[m * 37 + i]) / std::sqrt(squares / 37 + 1e-5) * D(weight[i]));
    }
  }
  EXPECT_LT(RelativeL2(y.values, expected), 1e-6);

  constexpr std::size_t kCols = 20000;  // more than one slice
  Sheet gate_up(2, 2 * kCols, 3), product(2, kCols);
  ops.SiluMul(gate_up.view, product.view);
  expected.clear();
  for (std::size_t i = 0; i < 2 * kCols; ++i) {
    const std::size_t at = i / kCols * 2 * kCols + i % kCols;
    const double gate = D(gate_up.values[at]);
    expected.push_back(gate / (1 + std::exp(-gate)) * D(gate_up.values[at + kCols]));
  }
  EXPECT_LT(RelativeL2(product.values, expected), 1e-6);

  std::vector<float> sum = x.values;
  ops.Add(y.view, {sum.data(), 5, 37});
  for (std::size_t i = 0; i < sum.size(); ++i) {
    EXPECT_EQ(sum[i], x.values[i] + y.values[i]);
  }

  const std::vector<kernels::Bf16> table = Halves(Random(37 * 4, 4));
  const std::int32_t tokens[] = {3, 0, 3, 1, 2};
  ops.Embed({4, 37, std::span<const kernels::Bf16>(table), {}, {}}, {tokens, nullptr, nullptr},
            y.view);
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(tokens[i / 37]);
    EXPECT_EQ(y.values[i], kernels::ToFloat(table[row * 37 + i % 37]));
  }
}

// Two sequences in one step; whatever lies in the cache beyond a row's position is NaN.
TEST(CpuOps, AttentionOverAPoisonedCache) {
  const AttentionShape shape{6, 2, 10, 2, 9, 0.3F};
  CpuOps ops(Threads(2));
  const std::size_t cache_size = 2 * 2 * 9 * 10;
  std::vector<float> k(cache_size, std::nanf("")), v(cache_size, std::nanf(""));
  const KvLayer cache{std::span<float>(k), std::span<float>(v)};
  // No rotation, so that what is attended is what was given.
  const std::vector<float> cos(9 * 5, 1), sin(9 * 5, 0);
  const std::int32_t positions[] = {0, 1, 0, 2, 1};
  const std::int32_t sequences[] = {0, 0, 1, 0, 1};
  Sheet qkv(5, 100, 7), out(5, 60);
  const std::vector<float> given = qkv.values;
  const RowInfo info{nullptr, positions, sequences};
  ops.RopeAppendKv(shape, {Floats(cos), Floats(sin)}, info, qkv.view, cache);
  ops.Attend(shape, info, qkv.view, cache, 3, out.view);

  std::vector<double> expected;
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t head = 0; head < 6; ++head) {
      std::vector<std::size_t> seen;
      for (std::size_t other = 0; other < 5; ++other) {
        if (sequences[other] == sequences[row] && positions[other] <= positions[row]) {
          seen.push_back(other);
        }
      }
      const std::size_t kv = 60 + head / 3 * 10;
      std::vector<double> weights;
      double total = 0;
      for (const std::size_t other : seen) {
        double score = 0;
        for (std::size_t i = 0; i < 10; ++i) {
          score += D(given[row * 100 + head * 10 + i]) * D(given[other * 100 + kv + i]);
        }
        weights.push_back(std::exp(score * D(shape.scale)));
        total += weights.back();
      }
      for (std::size_t i = 0; i < 10; ++i) {
        double sum = 0;
        for (std::size_t s = 0; s < seen.size(); ++s) {
          sum += weights[s] / total * D(given[seen[s] * 100 + kv + 20 + i]);
        }
        expected.push_back(sum);
      }
    }
  }
  EXPECT_LT(RelativeL2(out.values, expected), 1e-6);
}

TEST(CpuOps, RotationPairsWithTheOtherHalf) {
  const AttentionShape shape{1, 1, 4, 1, 2, 1};
  CpuOps ops(Threads(1));
  std::vector<float> k(8, std::nanf("")), v(8, std::nanf(""));
  // A quarter turn for the first pair at position 1, none for the second.
  const std::vector<float> cos = {1, 1, 0, 1}, sin = {0, 0, 1, 0};
  Sheet qkv(1, 12);
  qkv.values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  qkv.view.data = qkv.values.data();
  const std::int32_t position = 1, sequence = 0;
  ops.RopeAppendKv(shape, {Floats(cos), Floats(sin)}, {nullptr, &position, &sequence}, qkv.view,
                   {std::span<float>(k), std::span<float>(v)});
  EXPECT_THAT(std::span(qkv.values).first(4), ::testing::ElementsAre(-3, 2, 1, 4));
  EXPECT_THAT(std::span(k).last(4), ::testing::ElementsAre(-7, 6, 5, 8));
  EXPECT_THAT(std::span(v).last(4), ::testing::ElementsAre(9, 10, 11, 12));
  EXPECT_TRUE(std::isnan(k[0]) && std::isnan(v[3])) << "position 0 is not touched";
}

TEST(CpuOps, ARowIsDrawnAsAlone) {
  CpuOps ops(Threads(2));
  Sheet logits(4, 300, 9);
  Sampling how[4];
  for (std::size_t i = 0; i < 4; ++i) {
    how[i] = {i == 2 ? 0.0F : 1.0F, 0.9F, 50, 7, 3};
  }
  std::int32_t together[4], alone[4];
  std::uint8_t ok[4] = {};
  ops.Sample(logits.view, how, together, ok);
  EXPECT_THAT(ok, ::testing::Each(1));
  for (std::int64_t i = 0; i < 4; ++i) {
    ops.Sample({logits.view.data + i * 300, 1, 300}, how + i, alone + i, ok);
  }
  EXPECT_THAT(together, ::testing::ElementsAreArray(alone));
  std::int32_t best[4];
  ops.Argmax(logits.view, best, ok);
  EXPECT_EQ(together[2], best[2]);
  std::fill(logits.values.begin(), logits.values.end(), std::nanf(""));
  ops.Argmax(logits.view, best, ok);
  EXPECT_THAT(best, ::testing::Each(0)) << "always a valid id";
  EXPECT_THAT(ok, ::testing::Each(0));
  std::fill(std::begin(ok), std::end(ok), std::uint8_t{1});
  ops.Sample(logits.view, how, together, ok);
  EXPECT_THAT(together, ::testing::Each(0));
  EXPECT_THAT(ok, ::testing::Each(0));
}

template <class Device>
void FusedAreTheirCompositions() {
  Device ops(Threads(1));
  const std::vector<float> norm_weight = Random(64, 1), up = Random(64 * 160, 2),
                           down = Random(80 * 64, 3);
  const Weight wide{160, 64, Floats(up), {}, {}}, narrow{64, 80, Floats(down), {}, {}};
  Sheet x(3, 64, 4), norm(3, 64), wide_out(3, 160), fused(3, 160), composed(3, 160);
  ops.NormLinear(x.view, Floats(norm_weight), 1e-5F, {&wide, 1}, norm.view, fused.view);
  ops.RmsNorm(x.view, Floats(norm_weight), 1e-5F, norm.view);
  ops.Linear(norm.view, {&wide, 1}, composed.view);
  EXPECT_EQ(fused.values, composed.values);

  Sheet half(3, 80), half_composed(3, 80);
  ops.NormGateUpSilu(x.view, Floats(norm_weight), 1e-5F, {&wide, 1}, norm.view, wide_out.view,
                     half.view);
  ops.SiluMul(composed.view, half_composed.view);
  EXPECT_EQ(half.values, half_composed.values);

  Sheet product(3, 64), sum = x, sum_composed = x;
  sum.view.data = sum.values.data();
  sum_composed.view.data = sum_composed.values.data();
  ops.LinearResidual(half.view, narrow, product.view, sum.view);
  ops.Linear(half.view, {&narrow, 1}, product.view);
  ops.Add(product.view, sum_composed.view);
  EXPECT_EQ(sum.values, sum_composed.values);
}

TEST(CpuOps, FusedEntries) {
  FusedAreTheirCompositions<CpuOps>();
  FusedAreTheirCompositions<CpuHfExactOps>();
}

TEST(CpuOps, TheArenaIsAlignedAndFinite) {
  CpuOps ops(Threads(1));
  Measure measure;
  EXPECT_EQ(measure.Take(1), nullptr);
  measure.Take(257);
  EXPECT_EQ(measure.bytes(), 768U);
  EXPECT_THROW(ops.Take(1), std::logic_error) << "nothing is reserved";
  ops.Reserve(measure.bytes());
  for (const std::size_t size : {1, 257}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(ops.Take(size)) % 256, 0U);
  }
  EXPECT_THROW(ops.Take(257), std::logic_error);
}

}  // namespace
}  // namespace engine
