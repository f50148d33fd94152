// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <span>
#include <vector>

#include "tests/kernels/properties/everywhere.h"

namespace kernels::testing {
namespace {

TEST(DecodeAttention, OneSlotReturnsItsValue) {
  Everywhere<DecodeAttentionArgs>([](auto run) {
    for (const DType dtype : {DType::kF32, DType::kBf16}) {
      Arena arena(9, 1);
      constexpr std::int64_t kHeads = 14, kKv = 2, kDim = 50, kAll = kHeads * kDim;
      const DecodeAttentionShape shape{1, kHeads, kKv, kDim, dtype};
      const DecodeAttentionArgs args{.shape = shape,
                                     .scale = 3.0F,
                                     .q = arena.Input(DType::kF32, kAll, Fill::kUniform),
                                     .k = arena.Input(dtype, kKv * kDim, Fill::kUniform),
                                     .v = arena.Input(dtype, kKv * kDim, Fill::kUniform),
                                     .out = arena.Output(DType::kF32, kAll)};
      run(args);
      for (std::int64_t i = 0; i < kAll; ++i) {
        ASSERT_EQ(At(args.out, i), At(args.v, i / kDim / (kHeads / kKv) * kDim + i % kDim));
      }
    }
  });
}

TEST(DecodeAttention, EqualKeysGiveTheMeanAndAPeakGivesItsValue) {
  Everywhere<DecodeAttentionArgs>([](auto run) {
    constexpr std::int64_t kLength = 130, kDim = 16;
    std::vector<float> q(kDim, 1), k(kLength * kDim, 0.5F), v(kLength * kDim), out(kDim);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const std::size_t slot = i / kDim;
      v[i] = static_cast<float>(slot);
    }
    const DecodeAttentionArgs args{{kLength, 1, 1, kDim, DType::kF32}, 1.0F,
                                   std::span<const float>(q),          std::span<const float>(k),
                                   std::span<const float>(v),          std::span(out)};
    run(args);
    // Sums of integers below 2^24 are exact; one division.
    EXPECT_EQ(out[0], 64.5F);
    k[70 * kDim] = 1000;
    run(args);
    EXPECT_EQ(out[0], 70.0F);
    // A later peak replaces an earlier one across chunks.
    k[129 * kDim] = 2000;
    run(args);
    EXPECT_EQ(out[kDim - 1], 129.0F);
  });
}

TEST(DecodeAttention, ChunksOfMinusInfinityDoNotPoisonLaterOnes) {
  Everywhere<DecodeAttentionArgs>([](auto run) {
    constexpr std::int64_t kLength = 70;
    std::vector<float> q = {1}, k(kLength, -kInf), v(kLength, 1), out(1);
    const DecodeAttentionArgs args{{kLength, 1, 1, 1, DType::kF32}, 1.0F,
                                   std::span<const float>(q),       std::span<const float>(k),
                                   std::span<const float>(v),       std::span(out)};
    run(args);
    EXPECT_TRUE(std::isnan(out[0]));
    k[69] = 0;
    v[69] = 5;
    run(args);
    EXPECT_EQ(out[0], 5.0F);
    k[3] = kNan;
    run(args);
    EXPECT_TRUE(std::isnan(out[0]));
  });
}

TEST(DecodeAttention, ABatchIsItsSequencesOneByOne) {
  constexpr std::int64_t kHeads = 6, kKv = 2, kDim = 40, kCapacity = 90;
  const std::vector<std::int32_t> lengths = {1, 90, 64, 33};
  const auto batch = static_cast<std::int64_t>(lengths.size());
  constexpr std::int64_t kQueries = kHeads * kDim, kSlots = kCapacity * kKv * kDim;
  Everywhere<DecodeAttentionArgs>([&](auto run) {
    Arena arena(5, 0);
    const ConstView q = arena.Input(DType::kF32, batch * kQueries, Fill::kUniform);
    const ConstView k = arena.Input(DType::kBf16, batch * kSlots, Fill::kUniform);
    const ConstView v = arena.Input(DType::kBf16, batch * kSlots, Fill::kUniform);
    const View out = arena.Output(DType::kF32, batch * kQueries);
    run(DecodeAttentionArgs{.shape = {70, kHeads, kKv, kDim, DType::kBf16, batch, kCapacity},
                            .scale = 0.3F,
                            .q = q,
                            .k = k,
                            .v = v,
                            .out = out,
                            .lengths = lengths});
    for (std::int64_t b = 0; b < batch; ++b) {
      const View alone = arena.Output(DType::kF32, kQueries);
      const auto part = [b](ConstView view, std::int64_t size) {
        const auto bytes = static_cast<std::size_t>(b * size) * ByteSize(view.dtype);
        return ConstView(static_cast<const std::byte*>(view.data) + bytes,
                         static_cast<std::size_t>(size), view.dtype);
      };
      run(DecodeAttentionArgs{
          .shape = {lengths[static_cast<std::size_t>(b)], kHeads, kKv, kDim, DType::kBf16},
          .scale = 0.3F,
          .q = part(q, kQueries),
          .k = part(k, kSlots),
          .v = part(v, kSlots),
          .out = alone});
      for (std::int64_t i = 0; i < kQueries; ++i) {
        ASSERT_EQ(At(out, b * kQueries + i), At(alone, i)) << "sequence " << b;
      }
    }
  });
}

}  // namespace
}  // namespace kernels::testing
