// SPDX-License-Identifier: Apache-2.0
// Rope and attention on a GPU: those of the CPU, fused or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/engine/ops/cuda/device_bench.h"

namespace engine {
namespace {

struct AttentionCase {
  std::int64_t heads, kv_heads, dim, capacity;
  DType cache;
  std::vector<std::int32_t> positions, sequences;
};

// Appends rows at positions 0, 1, ... of each sequence first, so that every cache slot that is
// seen has been written; the rest is NaN.
std::vector<float> Attended(Bench bench, const AttentionCase& c, bool fused,
                            std::vector<float>* rotated) {
  const AttentionShape shape{c.heads, c.kv_heads, c.dim, 3, c.capacity, 0.3F};
  const std::size_t cache_size = Index(3 * c.capacity * c.kv_heads * c.dim);
  const std::vector<float> poison(cache_size, std::nanf(""));
  const auto cache_of = [&]() -> View {
    if (c.cache == DType::kF32) {
      return {bench.Put(poison), cache_size, c.cache};
    }
    return {bench.Put(Halves(poison)), cache_size, c.cache};
  };
  const KvLayer cache{cache_of(), cache_of()};
  const std::int64_t half = c.dim / 2, cols = (c.heads + 2 * c.kv_heads) * c.dim;
  std::vector<float> cos, sin;
  for (std::int64_t i = 0; i < c.capacity * half; ++i) {
    cos.push_back(std::cos(static_cast<float>(i)));
    sin.push_back(std::sin(static_cast<float>(i)));
  }
  const RopeTable table{bench.Floats(cos), bench.Floats(sin)};
  std::vector<std::int32_t> positions, sequences;
  std::int32_t last = 0;
  for (std::size_t row = 0; row < c.positions.size(); ++row) {
    last = std::max(last, c.positions[row]);
  }
  for (std::int32_t sequence = 0; sequence < 3; ++sequence) {
    for (std::int32_t position = 0; position <= last; ++position) {
      positions.push_back(position);
      sequences.push_back(sequence);
    }
  }
  const auto rows = static_cast<std::int64_t>(positions.size());
  const Rows before = bench.Sheet(rows, cols, 7);
  bench.ops().RopeAppendKv(shape, table, {nullptr, bench.Put(positions), bench.Put(sequences)},
                           before, cache);
  const auto asked = static_cast<std::int64_t>(c.positions.size());
  const Rows qkv = bench.Sheet(asked, cols, 8), out = bench.Sheet(asked, c.heads * c.dim);
  const RowInfo info{nullptr, bench.Put(c.positions), bench.Put(c.sequences)};
  if (fused) {
    bench.ops().RopeAttend(shape, table, info, qkv, cache, last + 1, out);
    // Other queries, of what the cache holds then.
    const Rows others = bench.Sheet(asked, cols, 9), seen = bench.Sheet(asked, c.heads * c.dim);
    bench.ops().Attend(shape, info, others, cache, last + 1, seen);
    std::vector<float> both = bench.Get(out);
    const std::vector<float> more = bench.Get(seen);
    both.insert(both.end(), more.begin(), more.end());
    return both;
  }
  bench.ops().RopeAppendKv(shape, table, info, qkv, cache);
  bench.ops().Attend(shape, info, qkv, cache, last + 1, out);
  *rotated = bench.Get(qkv);
  // k is rotated in place on the CPU alone.
  for (std::size_t row = 0; row < Index(asked); ++row) {
    const auto from =
        rotated->begin() + static_cast<std::ptrdiff_t>(row * Index(cols) + Index(c.heads * c.dim));
    std::fill(from, from + c.kv_heads * c.dim, 0.0F);
  }
  return bench.Get(out);
}

TEST(CudaOps, RopeAndAttentionAreThoseOfTheCpu) {
  const std::vector<AttentionCase> cases = {
      {6, 2, 10, 9, DType::kF32, {0, 1, 2, 8}, {2, 0, 1, 1}},
      {4, 4, 34, 300, DType::kBf16, {299, 3}, {1, 2}},
      {14, 2, 64, 700, DType::kBf16, {650}, {1}},
      {32, 8, 64, 700, DType::kBf16, {10, 11, 12, 13, 14}, {2, 2, 2, 2, 2}},
      {28, 4, 128, 600, DType::kBf16, {599, 0, 255}, {0, 2, 1}},
      {8, 8, 256, 40, DType::kF32, {39, 5}, {0, 1}},
      // Short, with and without room beyond the last slot, first slots, every size of group.
      {32, 8, 64, 700, DType::kBf16, {159}, {1}},
      {32, 8, 64, 300, DType::kBf16, {0, 1, 63, 64, 255, 299}, {0, 1, 2, 0, 1, 2}},
      {14, 2, 64, 40, DType::kBf16, {39}, {2}},
      {14, 2, 64, 40, DType::kBf16, {0}, {0}},
      {28, 4, 128, 600, DType::kBf16, {255}, {2}},
      {28, 4, 128, 600, DType::kBf16, {31, 32, 33}, {2, 2, 2}},
      {4, 4, 128, 64, DType::kBf16, {63}, {0}},
      {10, 5, 64, 512, DType::kBf16, {511}, {1}},
      {10, 5, 64, 37, DType::kBf16, {36}, {2}},
      {4, 4, 64, 301, DType::kBf16, {300}, {0}},
      {4, 4, 128, 150, DType::kBf16, {149}, {1}},
      {10, 5, 64, 512, DType::kBf16, {300}, {0}},
  };
  for (const Attention attention :
       {Attention::kAuto, Attention::kReference, Attention::kSplitKv, Attention::kFused}) {
    EngineOptions options = OnGpu();
    options.attention = attention;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      std::vector<float> gpu_q, cpu_q;
      const auto gpu = Attended(Gpu(options), cases[i], false, &gpu_q);
      const auto cpu = Attended(Cpu(), cases[i], false, &cpu_q);
      EXPECT_LT(RelativeL2(gpu_q, cpu_q), 1e-6) << "case " << i;
      // A key whose f32 bits differ may be rounded to another bf16.
      EXPECT_LT(RelativeL2(gpu, cpu), cases[i].cache == DType::kBf16 ? 1e-4 : 1e-5)
          << "case " << i << ", attention " << static_cast<int>(attention);
      const auto fused_gpu = Attended(Gpu(options), cases[i], true, nullptr);
      const auto fused_cpu = Attended(Cpu(), cases[i], true, nullptr);
      EXPECT_LT(RelativeL2(fused_gpu, fused_cpu), cases[i].cache == DType::kBf16 ? 1e-4 : 1e-5)
          << "case " << i << ", attention " << static_cast<int>(attention);
      EXPECT_EQ(fused_gpu, Attended(Gpu(options), cases[i], true, nullptr));
    }
  }
}

}  // namespace
}  // namespace engine
