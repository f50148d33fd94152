// SPDX-License-Identifier: Apache-2.0
// attention_plan.h: how an attention over a cache is cut into chunks of slots for a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/runtime/queue.h"
#include "kernels/decode_attention.h"

namespace kernels::cuda {

inline constexpr int kMaxChunks = 256;

struct AttentionPlan {
  std::int64_t items = 0, chunk_slots = 0;
  int tiles = 1, chunks = 1;
};

// Chunks so that the blocks fill whole waves of the device. A chunk costs its slots, and cutting at
// all costs as much as a few hundred slots: both in the time of one slot of one block. Chunks are
// multiples of `granule`.
inline AttentionPlan PlanAttention(const DecodeAttentionShape& shape, int tile_heads,
                                   std::int64_t granule, int resident_blocks) {
  constexpr std::int64_t kCutting = 400;
  AttentionPlan plan;
  const std::int64_t group = shape.heads / shape.kv_heads;
  plan.tiles = static_cast<int>((group + tile_heads - 1) / tile_heads);
  plan.items = shape.batch * shape.kv_heads * plan.tiles;
  const std::int64_t capacity = Capacity(shape);
  plan.chunk_slots = capacity;
  if (plan.items > static_cast<std::int64_t>(kCounters)) {
    return plan;
  }
  std::int64_t least = (plan.items + resident_blocks - 1) / resident_blocks * capacity;
  for (std::int64_t wanted = 2; wanted <= kMaxChunks; ++wanted) {
    const std::int64_t slots = ((capacity + wanted - 1) / wanted + granule - 1) / granule * granule;
    const std::int64_t chunks = (capacity + slots - 1) / slots;
    const std::int64_t waves = (plan.items * chunks + resident_blocks - 1) / resident_blocks;
    const std::int64_t cost = waves * slots + kCutting + 2 * chunks;
    if (chunks > 1 && cost < least) {
      least = cost;
      plan.chunk_slots = slots;
      plan.chunks = static_cast<int>(chunks);
    }
  }
  return plan;
}

inline std::size_t PartBytes(const AttentionPlan& plan, int tile_heads, std::int64_t dim) {
  if (plan.chunks == 1) {
    return 0;
  }
  const auto parts = static_cast<std::size_t>(plan.items * plan.chunks * tile_heads);
  return parts * (static_cast<std::size_t>(dim) * sizeof(float) + 2 * sizeof(float));
}

}  // namespace kernels::cuda
