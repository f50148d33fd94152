// SPDX-License-Identifier: Apache-2.0
// The plans by which gemv, logits_argmax and decode_attention divide their work: nothing is left
// out, nothing is divided by zero, and what the kernels take for granted holds.
#include <gtest/gtest.h>

#include "kernels/cuda/attention/attention_plan.h"
#include "kernels/cuda/dot/dot_plan.h"

namespace kernels::cuda {
namespace {

TEST(DotPlan, SlicesCoverTheRowAndFitSharedMemory) {
  for (const int per_chunk : {128, 256}) {
    for (const int multiprocessors : {1, 20, 108, 132}) {
      for (const std::int64_t n : {0, 1, 2, 65, 66, 67, 896, 2048, 4224, 16384, 151936}) {
        for (const std::int64_t k : {1, 7, 128, 256, 257, 896, 2048, 8192, 40000, 1000000}) {
          for (const unsigned least : {1U, 4U}) {
            SCOPED_TRACE(std::to_string(n) + " x " + std::to_string(k));
            const DotPlan plan = PlanDot(n, k, per_chunk, multiprocessors, least);
            const std::int64_t slice = static_cast<std::int64_t>(plan.slice_chunks) * per_chunk;
            EXPECT_GE(plan.slices * slice, k);
            EXPECT_LT((plan.slices - 1) * slice, k) << "an empty slice";
            EXPECT_LE(plan.shared_bytes, kDotSharedBytes);
            EXPECT_GE(plan.shared_bytes, static_cast<std::size_t>(slice) * sizeof(float));
            EXPECT_TRUE(plan.team == 1 || plan.team == 4 || plan.team == 16);
            EXPECT_GE(plan.blocks, 1U);
            EXPECT_LE(plan.blocks, static_cast<unsigned>(kDotBlocksPerSm * multiprocessors));
            if (plan.rows > 1) {
              EXPECT_EQ(plan.team, 1);
              EXPECT_EQ(plan.slices, 1U);
              EXPECT_LE(plan.slice_chunks * plan.rows, kDotInFlight) << "more than one step";
            }
          }
        }
      }
    }
  }
}

TEST(AttentionPlan, ChunksCoverTheCacheAndNoneIsEmpty) {
  for (const std::int64_t batch : {0, 1, 3, 64, 5000}) {
    for (const std::int64_t capacity : {1, 17, 256, 257, 1000, 4096, 32768, 1 << 24}) {
      for (const std::int64_t heads : {8, 14, 40}) {
        for (const int resident : {1, 132, 264}) {
          for (const std::int64_t granule : {64, 128}) {
            DecodeAttentionShape shape{1, heads, 2, 64, DType::kBf16, batch, capacity};
            const AttentionPlan plan = PlanAttention(shape, 8, granule, resident);
            EXPECT_EQ(plan.items, batch * 2 * plan.tiles);
            EXPECT_GE(plan.tiles * 8, heads / 2);
            EXPECT_GE(plan.chunks * plan.chunk_slots, capacity);
            EXPECT_LT((plan.chunks - 1) * plan.chunk_slots, capacity);
            EXPECT_LE(plan.chunks, kMaxChunks);
            EXPECT_EQ(PartBytes(plan, 8, 64) == 0, plan.chunks == 1 || batch == 0);
            if (plan.chunks > 1) {
              EXPECT_EQ(plan.chunk_slots % granule, 0);
              EXPECT_LE(plan.items, static_cast<std::int64_t>(kCounters));
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace kernels::cuda
