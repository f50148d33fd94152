// SPDX-License-Identifier: Apache-2.0
// attention_plan.h: how an attention over a cache is cut into chunks of slots for a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/queue.h"
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

struct ClusterPlan {
  bool better = false;  // than chunks and a second kernel
  int log_ranks = 0;    // of the blocks of a cluster
};

// How an item is shared by the blocks of a cluster, `most` of which are possible, `slots` of the
// cache being what a warp takes at once and `warps` a block's. Times are in slots read by one SM at
// its fair share of the memory's rate. When SMs are left over the others read up to 1.7 times as
// fast.
inline ClusterPlan PlanCluster(const DecodeAttentionShape& shape, int tile_heads, int slots,
                               int warps, int most, int multiprocessors) {
  constexpr double kFastest = 1.7;
  constexpr double kSecondKernel = 23000;  // divided by dim: 4 us
  const auto sms = static_cast<std::int64_t>(multiprocessors);
  const std::int64_t group = shape.heads / shape.kv_heads;
  const std::int64_t items = shape.batch * shape.kv_heads * ((group + tile_heads - 1) / tile_heads);
  const std::int64_t capacity = Capacity(shape);
  const std::int64_t tiles = (capacity + slots - 1) / slots;
  ClusterPlan plan;
  double least = 0;
  for (int log_ranks = 0; (1 << log_ranks) <= most; ++log_ranks) {
    const std::int64_t blocks = items << log_ranks;
    // A barrier of the cluster costs as much as a block takes for a round or two of its warps.
    if (log_ranks > 0 &&
        (tiles <= warps || tiles < (std::int64_t{2} << log_ranks) || blocks > 2 * sms)) {
      break;
    }
    const double rate =
        std::clamp(static_cast<double>(sms) / static_cast<double>(blocks), 1.0, kFastest);
    const double time = static_cast<double>((blocks + sms - 1) / sms) *
                        static_cast<double>(capacity) / static_cast<double>(1 << log_ranks) / rate;
    if (log_ranks == 0 || time < least) {
      least = time;
      plan.log_ranks = log_ranks;
    }
  }
  const double chunked = 1.03 * static_cast<double>(items * capacity) / static_cast<double>(sms) +
                         kSecondKernel / static_cast<double>(shape.dim);
  plan.better = least <= chunked;
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
