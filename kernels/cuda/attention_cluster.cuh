// SPDX-License-Identifier: Apache-2.0
// attention_cluster.cuh: attention over a bf16 cache by one kernel: a cluster of blocks per item.
//
// An item is a sequence, a KV head and up to kMmaTileHeads query heads of its group. Tiles of 16
// slots go to the warps of all blocks of its cluster in turn, so that all end together whatever the
// length is. At the end a warp pushes its part (attention_parts.cuh) straight from registers into
// the shared memory of the blocks that add them: `owners` of them, each with its own columns. No
// part goes through global memory, and nothing but their arrival is waited for. Parts are added in
// an order that depends on the number of blocks alone.
//
// With one block per item (kAlone) this is an ordinary kernel, which any device runs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/attention_mma.cuh"
#include "kernels/cuda/attention_parts.cuh"
#include "kernels/cuda/cluster_push.cuh"
#include "kernels/cuda/copy_async.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/reduce.cuh"

namespace kernels::cuda {

inline constexpr int kClusterWarps = 4;
// One stage of 4 warps holds 16 (heads of 64) or 32 KB: 64 KB on their way while one is read, and
// two blocks fit on an SM, so that those of the next kernel come up beside those of this one.
template <int kDim>
inline constexpr int kClusterStages = kDim == 64 ? 5 : 3;
template <int kDim>
inline constexpr int kClusterRingBytes =
    kClusterWarps* kClusterStages<kDim> * 2 * kMmaTileBytes<kDim>;

// Binary logarithm of the columns that one of 2^log_ranks blocks adds: 8 at least, as the fragments
// of a product are 8 wide; blocks that are left add none.
template <int kDim>
__host__ __device__ constexpr int LogColumns(int log_ranks) {
  constexpr int kLogDim = kDim == 64 ? 6 : 7;
  return kLogDim - log_ranks > 3 ? kLogDim - log_ranks : 3;
}

template <int kDim>
constexpr int ClusterSharedBytes(int log_ranks, int heads) {
  const int part = (4 << LogColumns<kDim>(log_ranks)) + static_cast<int>(sizeof(float2));
  return kClusterRingBytes<kDim> + (kClusterWarps << log_ranks) * heads * part;
}

// Adds `parts` parts of `heads` heads, one warp per head, and writes this block's columns of the
// quotients to `out`, row stride kDim, aligned to one float only. sums [parts][heads][columns],
// states [parts][heads].
template <int kDim>
__device__ __forceinline__ void AddPushed(const float4* sums, const float2* states, int parts,
                                          int heads, int log_columns, float* out) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int quads = 1 << (log_columns - 2);    // lanes that share a part
  const int groups = 32 >> (log_columns - 2);  // parts that a warp takes at once; divides `parts`
  const int group = lane >> (log_columns - 2);
  const int quad = lane & (quads - 1);
#pragma unroll 1
  for (int head = static_cast<int>(threadIdx.x) / 32; head < heads; head += kClusterWarps) {
    float max = MinusInfinity();
#pragma unroll 2
    for (int i = group; i < parts; i += groups) {
      max = fmaxf(max, states[i * heads + head].x);
    }
#pragma unroll 1
    for (int apart = 16; apart >= quads; apart /= 2) {
      max = fmaxf(max, __shfl_xor_sync(0xffffffffU, max, apart));
    }
    const float base = BaseOf(max);
    float4 sum{};
    float total = 0;
#pragma unroll 2
    for (int i = group; i < parts; i += groups) {
      const float2 state = states[i * heads + head];
      const float weight = Exp2(state.x - base);
      total = fmaf(weight, state.y, total);
      sum = Fma(weight, sums[(i * heads + head) * quads + quad], sum);
    }
#pragma unroll 1
    for (int apart = 16; apart >= quads; apart /= 2) {
      total += __shfl_xor_sync(0xffffffffU, total, apart);
      sum.x += __shfl_xor_sync(0xffffffffU, sum.x, apart);
      sum.y += __shfl_xor_sync(0xffffffffU, sum.y, apart);
      sum.z += __shfl_xor_sync(0xffffffffU, sum.z, apart);
      sum.w += __shfl_xor_sync(0xffffffffU, sum.w, apart);
    }
    if (group == 0) {
      const float inverse = 1.0F / total;
      float* const to = out + head * kDim + 4 * quad;
      to[0] = sum.x * inverse;
      to[1] = sum.y * inverse;
      to[2] = sum.z * inverse;
      to[3] = sum.w * inverse;
    }
  }
}

// 2^log_ranks: blocks of a cluster, 1 if kAlone; `ahead`: tiles per warp to fetch before the kernel
// before is done. Blocks: x for KV heads, tiles of their groups and ranks, z for sequences.
template <int kDim, bool kAlone>
__global__ void __launch_bounds__(32 * kClusterWarps, kMmaBlocksPerSm)
    ClusterKernel(AttentionWork work, int log_ranks, int ahead) {
  using Warp = MmaWarp<kDim>;
  constexpr int kStages = kClusterStages<kDim>;
  constexpr int kTile = Warp::kTile;
  constexpr int kUnits = kDim / 8;           // of 16 bytes in a row
  constexpr int kRowsPerCopy = 32 / kUnits;  // slots that one copy of all lanes covers
  extern __shared__ float4 shared[];
  __shared__ std::uint64_t pushed;
  const int ranks = kAlone ? 1 : 1 << log_ranks;
  LetNextStart();
  if (work.lengths != nullptr) {
    WaitForPrevious();
  }
  const int rank = static_cast<int>(blockIdx.x) & (ranks - 1);
  AttentionBlock block;
  const int length =
      FindItem(work, static_cast<int>(blockIdx.x) >> (kAlone ? 0 : log_ranks), rank == 0, &block);
  if (length == 0) {
    return;  // in all blocks of the cluster
  }
  const int log_columns = LogColumns<kDim>(kAlone ? 0 : log_ranks);
  const int columns = 1 << log_columns;
  const int owners = kDim >> log_columns;
  const int step = kClusterWarps * ranks;
  if constexpr (!kAlone) {
    if (threadIdx.x == 0) {
      ExpectPushes(SharedAddress(&pushed), step * block.heads * (columns * 4 + 8));
    }
    __syncwarp();
    ArriveAtCluster();
  }
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int tiles = (length + kMmaSlots - 1) / kMmaSlots;
  const int worker = warp * ranks + rank;  // takes tiles worker, worker + step, ...
  const std::uint32_t ring =
      SharedAddress(shared) + static_cast<std::uint32_t>(warp * kStages * 2 * kTile);

  const std::int64_t stride = static_cast<std::int64_t>(work.kv_heads) * kDim * 2;  // bytes
  const std::int64_t sequence = block.sequence * work.capacity * stride;
  const int row = lane / kUnits;
  const int unit = lane % kUnits;
  const std::int64_t start =
      sequence + row * stride + static_cast<std::int64_t>(block.kv_head) * kDim * 2 + unit * 16;
  const auto* const k = static_cast<const std::byte*>(work.k) + start;
  const auto* const v = static_cast<const std::byte*>(work.v) + start;
  const auto fetch = [&](int tile, int stage) {
    if (tile < tiles) {
      const std::uint32_t to = ring + static_cast<std::uint32_t>(stage * 2 * kTile);
      const std::int64_t at = tile * kMmaSlots * stride;
      const int rest = length - tile * kMmaSlots - row;
#pragma unroll
      for (int i = 0; i < kMmaSlots / kRowsPerCopy; ++i) {
        const bool wanted = i * kRowsPerCopy < rest;
        const std::int64_t from = wanted ? at + i * kRowsPerCopy * stride : -row * stride;
        const auto offset =
            static_cast<std::uint32_t>(TileOffset<kDim>(i * kRowsPerCopy + row, unit));
        CopyAsync(to + offset, k + from, wanted);
        CopyAsync(to + kTile + offset, v + from, wanted);
      }
    }
    CommitCopies();  // an empty group keeps the count
  };

  if (work.lengths == nullptr) {
    // The slots of a tile lie side by side with all their heads: the clusters of the heads, which
    // are at the same tiles, fetch one piece each.
    const int tile = worker + lane / 2 * step;
    if (lane < 2 * ahead && tile < tiles && block.first_head == block.kv_head * work.group) {
      const int first = tile * kMmaSlots;
      const int piece = min(kMmaSlots, length - first) * kDim * 2;
      FetchAhead(static_cast<const std::byte*>(lane % 2 == 0 ? work.k : work.v) + sequence +
                     first * stride + static_cast<std::int64_t>(block.kv_head) * piece,
                 piece);
    }
    WaitForPrevious();
  }

  Warp state;
  int stage = 0, filled = 0;
  // The first kStages - 1 rounds only fetch: there is one copy of that code.
#pragma unroll 1
  for (int tile = worker - (kStages - 1) * step; tile < tiles; tile += step) {
    if (tile >= 0) {
      WaitForCopies<kStages - 2>();
      __syncwarp();  // every lane's copies are here, and the stage to fill next has been read
    }
    fetch(tile + (kStages - 1) * step, filled);
    filled = filled + 1 == kStages ? 0 : filled + 1;
    if (tile < 0) {
      if (tile + step >= 0) {
        state.LoadQuery(work.q + (block.sequence * work.heads + block.first_head) * kDim, kDim,
                        block.heads);
        if constexpr (!kAlone) {
          __syncwarp();
          WaitForCluster();  // every block runs, so its memory may be written to; once per warp
        }
      }
      continue;
    }
    state.Attend(ring + static_cast<std::uint32_t>(stage * 2 * kTile), length - tile * kMmaSlots,
                 work.scale_log2);
    stage = stage + 1 == kStages ? 0 : stage + 1;
  }

  const int sums_at = kClusterRingBytes<kDim>;
  const int states_at = sums_at + step * block.heads * columns * 4;
  auto* const bytes = reinterpret_cast<std::byte*>(shared);
  const float2 of_head = state.Total();
  const int head = lane / 4;
  if (head < block.heads) {
    const int part = worker * block.heads + head;
    std::byte* const sums = bytes + sums_at + (part * columns + 2 * (lane % 4)) * 4;
    std::byte* const states = bytes + states_at + part * 8;
    const auto put = [&](std::byte* to, int owner, float2 value) {
      if constexpr (kAlone) {
        *reinterpret_cast<float2*>(to) = value;
      } else {
        Push(SharedAddress(to), SharedAddress(&pushed), owner, value.x, value.y);
      }
    };
#pragma unroll
    for (int n = 0; n < kDim / 8; ++n) {
      put(sums + (8 * n & (columns - 1)) * 4, (8 * n) >> log_columns,
          make_float2(state.out[n][0] + state.out[n][2], state.out[n][1] + state.out[n][3]));
    }
#pragma unroll 1
    for (int owner = lane % 4; owner < owners; owner += 4) {
      put(states, owner, of_head);
    }
  }
  if constexpr (kAlone) {
    __syncthreads();
  } else if (rank < owners) {
    WaitForPushes(SharedAddress(&pushed));
  }
  if (rank < owners) {
    AddPushed<kDim>(
        reinterpret_cast<const float4*>(bytes + sums_at),
        reinterpret_cast<const float2*>(bytes + states_at), step, block.heads, log_columns,
        work.out + (block.sequence * work.heads + block.first_head) * kDim + rank * columns);
  }
}

}  // namespace kernels::cuda
