// SPDX-License-Identifier: Apache-2.0
// What the contracts of the kernels that stream weights and caches promise beyond what the inputs
// of problem.h reach: lengths in device memory that are out of range, every MXFP4 code and scale
// bit for bit, ties and NaN among logits of many blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "kernels/bf16.h"
#include "kernels/cuda/registry.h"
#include "kernels/cuda/runtime/queue.h"
#include "tests/kernels/arena.h"
#include "tests/kernels/cuda/device_buffer.h"
#include "tests/kernels/cuda/row_test.h"

namespace kernels::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

ConstView Bytes(const DeviceBuffer<std::uint8_t>& buffer) {
  return {buffer.span().data(), buffer.span().size(), DType::kU8};
}

using CudaWeights = RowTest;

TEST_F(CudaWeights, AttentionOfALengthOutOfRangeIsNanAndTheOthersAreNot) {
  constexpr std::int64_t kCapacity = 3000, kHeads = 6, kKvHeads = 2;
  const std::vector<std::int32_t> lengths = {1, 0, 3000, -1, 3001, 1700, 1 << 30, 64};
  const auto batch = static_cast<std::int64_t>(lengths.size());
  const DeviceBuffer<std::int32_t> device_lengths(lengths);
  for (const std::int64_t dim : {64, 128, 80}) {
    for (const DType dtype : {DType::kBf16, DType::kF32}) {
      const DeviceBuffer<float> q(Uniform(batch * kHeads * dim, 1));
      const std::vector<float> cache = Uniform(batch * kCapacity * kKvHeads * dim, 2);
      std::vector<Bf16> narrow;
      std::transform(cache.begin(), cache.end(), std::back_inserter(narrow),
                     [](float x) { return ToBf16(x); });
      const DeviceBuffer<float> wide_cache(cache);
      const DeviceBuffer<Bf16> narrow_cache(narrow);
      const ConstView kv = dtype == DType::kF32 ? In(wide_cache) : In(narrow_cache);
      EachRow<DecodeAttentionArgs>([&](auto run) {
        const DeviceBuffer<float> out(
            std::vector<float>(static_cast<std::size_t>(batch * kHeads * dim), 7.0F));
        run(DecodeAttentionArgs{.shape = {1500, kHeads, kKvHeads, dim, dtype, batch, kCapacity},
                                .q = In(q),
                                .k = kv,
                                .v = kv,
                                .out = Out(out),
                                .lengths = device_lengths.span()});
        const std::vector<float> got = out.Host();
        for (std::size_t i = 0; i < got.size(); ++i) {
          const std::int32_t length = lengths[i / static_cast<std::size_t>(kHeads * dim)];
          ASSERT_EQ(std::isnan(got[i]), length < 1 || length > kCapacity)
              << "dim " << dim << " element " << i << " length " << length;
          ASSERT_LE(std::isnan(got[i]) ? 0 : std::abs(got[i]), 1.0F) << "not a mean of values";
        }
      });
    }
  }
}

// One code per row and one 1 in x: products with it are exact, so that y is the weight itself.
TEST_F(CudaWeights, EveryMxfp4CodeAndScaleIsExact) {
  const std::vector<std::uint8_t> scales = {0, 1, 2, 126, 127, 128, 253, 254, 255};
  constexpr std::int64_t kCodes = 16;
  for (const std::int64_t k : {32, 96, 2048}) {
    const auto n = static_cast<std::int64_t>(scales.size()) * kCodes;
    const std::int64_t per_row = k / kMxfp4Block;
    for (std::int64_t hot = 0; hot < k; hot += k == 2048 ? 97 : 1) {
      std::vector<std::uint8_t> blocks, all_scales;
      std::vector<float> want;
      for (const std::uint8_t scale : scales) {
        for (unsigned code = 0; code < kCodes; ++code) {
          blocks.insert(blocks.end(), static_cast<std::size_t>(k / 2),
                        static_cast<std::uint8_t>(code | code << 4));
          // Other blocks add zeros, unless their scale is NaN.
          for (std::int64_t b = 0; b < per_row; ++b) {
            all_scales.push_back(b == hot / kMxfp4Block ? scale : std::uint8_t{127});
          }
          want.push_back(static_cast<float>(Mxfp4Scale(scale) * Mxfp4Value(code)));
        }
      }
      std::vector<float> x(static_cast<std::size_t>(k));
      x[static_cast<std::size_t>(hot)] = 1;
      const DeviceBuffer<std::uint8_t> device_blocks(blocks), device_scales(all_scales);
      const DeviceBuffer<float> device_x(x);
      EachRow<GemvMxfp4Args>([&](auto run) {
        const DeviceBuffer<float> y(std::vector<float>(static_cast<std::size_t>(n), 7.0F));
        run(GemvMxfp4Args{.shape = {n, k},
                          .blocks = Bytes(device_blocks),
                          .scales = Bytes(device_scales),
                          .x = In(device_x),
                          .y = Out(y)});
        const std::vector<float> got = y.Host();
        for (std::size_t i = 0; i < got.size(); ++i) {
          ASSERT_TRUE(got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i])))
              << "element " << hot << " scale " << int{scales[i / kCodes]} << " code " << i % kCodes
              << ": " << got[i] << ", expected " << want[i];
        }
      });
    }
  }
}

// Which kernel takes a product depends on where its scales lie, the order of its sums on its shape
// alone: 18 to 1251 tiles of 16 rows, steps of every length, last tiles cut short. On an H100 those
// from 6500 rows on are more tiles than it takes at once; the last five go through rings of 10, 5,
// 5, 4 and 3 stages, the last three of them two to four times around.
TEST_F(CudaWeights, Mxfp4ScalesAnywhereGiveTheSameBits) {
  constexpr GemvMxfp4Shape kShapes[] = {{2233, 4096}, {6001, 1024},  {4505, 2080},  {700, 2880},
                                        {288, 1056},  {7999, 2048},  {6500, 4096},  {6500, 1184},
                                        {9001, 2048}, {20001, 2048}, {20001, 2880}, {20001, 3072}};
  Random random(7);
  for (const GemvMxfp4Shape& shape : kShapes) {
    const std::int64_t n = shape.n, k = shape.k;
    SCOPED_TRACE(std::to_string(n) + " x " + std::to_string(k));
    std::vector<std::uint8_t> codes(static_cast<std::size_t>(n * k / 2));
    std::vector<std::uint8_t> scales(static_cast<std::size_t>(n * k / kMxfp4Block));
    std::generate(codes.begin(), codes.end(),
                  [&] { return static_cast<std::uint8_t>(256 * random.Uniform()); });
    std::generate(scales.begin(), scales.end(),
                  [&] { return static_cast<std::uint8_t>(120 + 15 * random.Uniform()); });
    std::vector<std::uint8_t> shifted = scales;
    shifted.insert(shifted.begin(), 0);
    const DeviceBuffer<std::uint8_t> device_codes(codes), aligned(scales), unaligned(shifted);
    const DeviceBuffer<float> x(Uniform(k, 8));
    EachRow<GemvMxfp4Args>([&](auto run) {
      const auto product = [&](std::span<const std::uint8_t> at) {
        const DeviceBuffer<float> y(std::vector<float>(static_cast<std::size_t>(n), 7.0F));
        run(GemvMxfp4Args{.shape = shape,
                          .blocks = Bytes(device_codes),
                          .scales = {at.data(), at.size(), DType::kU8},
                          .x = In(x),
                          .y = Out(y)});
        return y.Host();
      };
      ASSERT_EQ(product(aligned.span()), product(unaligned.span().subspan(1)));
    });
  }
}

TEST_F(CudaWeights, TheLargestLogitIsTheLargestOfGemv) {
  constexpr std::int64_t kVocab = 30000, kK = 896;
  std::vector<float> weight = Uniform(kVocab * kK, 3);
  const DeviceBuffer<float> x(Uniform(kK, 4));
  // Two equal rows that win, far apart, and a row of NaN before them.
  std::vector<float> winner = x.Host();
  for (float& w : winner) {
    w = w > 0 ? 2.0F : -2.0F;
  }
  std::copy(winner.begin(), winner.end(), weight.begin() + 29000 * kK);
  std::copy(winner.begin(), winner.end(), weight.begin() + 123 * kK);
  std::fill_n(weight.begin() + 17 * kK, kK, kNan);
  const DeviceBuffer<float> device_weight(weight);
  const DeviceBuffer<float> logits(std::vector<float>(kVocab, 0.0F));
  cuda::Run(*cuda::Find<GemvArgs>("vector"),
            GemvArgs{.shape = {kVocab, kK, DType::kF32},
                     .weight = In(device_weight),
                     .x = In(x),
                     .y = Out(logits)},
            queue);
  queue.Wait();
  const std::vector<float> all = logits.Host();
  EXPECT_EQ(all[123], all[29000]) << "equal rows, unequal bits";
  EXPECT_TRUE(std::isnan(all[17]));
  EachRow<LogitsArgmaxArgs>([&](auto run) {
    const DeviceBuffer<std::int32_t> ids({-5});
    const DeviceBuffer<float> value({0.0F});
    const DeviceBuffer<std::uint8_t> ok({std::uint8_t{9}});
    run(LogitsArgmaxArgs{.shape = {kVocab, kK, DType::kF32},
                         .weight = In(device_weight),
                         .x = In(x),
                         .ids = ids.span(),
                         .value = Out(value),
                         .ok = ok.span()});
    EXPECT_EQ(ids.Host()[0], 123);
    EXPECT_EQ(ok.Host()[0], 1);
    EXPECT_NEAR(value.Host()[0], all[123], 1e-3);
  });
  const DeviceBuffer<float> nothing(std::vector<float>(100 * kK, kNan));
  EachRow<LogitsArgmaxArgs>([&](auto run) {
    const DeviceBuffer<std::int32_t> ids({-5});
    const DeviceBuffer<float> value({0.0F});
    const DeviceBuffer<std::uint8_t> ok({std::uint8_t{9}});
    run(LogitsArgmaxArgs{.shape = {100, kK, DType::kF32},
                         .weight = In(nothing),
                         .x = In(x),
                         .ids = ids.span(),
                         .value = Out(value),
                         .ok = ok.span()});
    EXPECT_EQ(ids.Host()[0], 0);
    EXPECT_EQ(ok.Host()[0], 0);
    EXPECT_TRUE(std::isnan(value.Host()[0]));
  });
}

std::vector<Bf16> Rounded(const std::vector<float>& values) {
  std::vector<Bf16> rounded;
  rounded.reserve(values.size());
  for (const float value : values) {
    rounded.push_back(ToBf16(value));
  }
  return rounded;
}

// gemv of weights that begin on 16 bytes, or one element later.
template <class T>
std::vector<float> GemvOf(std::vector<T> weight, std::int64_t n, std::int64_t k, bool shift,
                          const DeviceBuffer<float>& x, cuda::Queue& queue) {
  if (shift) {
    weight.insert(weight.begin(), T{});
  }
  const DeviceBuffer<T> held(weight);
  const DeviceBuffer<float> y(std::vector<float>(static_cast<std::size_t>(n), kNan));
  const DType type = sizeof(T) == 4 ? DType::kF32 : DType::kBf16;
  const ConstView from{held.data() + (shift ? 1 : 0), static_cast<std::size_t>(n * k), type};
  cuda::Run(*cuda::Find<GemvArgs>("vector"),
            GemvArgs{.shape = {n, k, type}, .weight = from, .x = In(x), .y = Out(y)}, queue);
  queue.Wait();
  return y.Host();
}

struct Size {
  std::int64_t n, k;
};

// Which kernel runs depends on the alignment; the order of sums does not. A warp per row of up to
// 1, 4, 8, 16 and 32 chunks, two rows at a time (5000 rows), teams, slices.
TEST_F(CudaWeights, AlignmentChangesNoBitOfGemv) {
  constexpr Size kSizes[] = {{5000, 128},  {5000, 256}, {5000, 512},  {5000, 1000},
                             {2000, 504},  {300, 1000}, {1500, 2000}, {1100, 4096},
                             {1100, 8000}, {130, 4096}, {8, 4096}};
  for (const auto& [n, k] : kSizes) {
    SCOPED_TRACE(std::to_string(n) + " x " + std::to_string(k));
    const std::vector<float> weight = Uniform(n * k, 5);
    const DeviceBuffer<float> x(Uniform(k, 6));
    EXPECT_EQ(GemvOf(weight, n, k, false, x, queue), GemvOf(weight, n, k, true, x, queue));
    const std::vector<Bf16> half = Rounded(weight);
    EXPECT_EQ(GemvOf(half, n, k, false, x, queue), GemvOf(half, n, k, true, x, queue));
  }
}

}  // namespace
}  // namespace kernels::testing
