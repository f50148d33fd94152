// SPDX-License-Identifier: Apache-2.0
// attention_mma_kernel.cuh: the kernel around attention_mma.cuh: filling the rings, adding the
// parts.
#pragma once

#include <cstdint>

#include "kernels/cuda/attention/attention_mma.cuh"
#include "kernels/cuda/attention/attention_parts.cuh"
#include "kernels/cuda/runtime/copy_async.cuh"
#include "kernels/cuda/runtime/last_block.cuh"
#include "kernels/cuda/runtime/launch.cuh"

namespace kernels::cuda {

// One head of several parts, added by one warp: lane l has columns 4 (l % (kDim / 4)) and the next
// three of the sum.
struct HeadSum {
  float4 sum;
  float max, total;
};

// kBatch parts at a time, with a running maximum: they and what they weigh are fetched together, so
// that a batch is one trip to memory.
template <int kDim, int kBatch>
__device__ __forceinline__ HeadSum MergeHead(const float* sums, const float2* states, int count,
                                             int head) {
  constexpr int kRow = kDim / 4;    // in float4
  constexpr int kSets = 32 / kRow;  // parts that a warp takes at once
  static_assert(kBatch <= 32 && kBatch % kSets == 0);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int set = lane / kRow;
  const float4* const from = reinterpret_cast<const float4*>(sums) + head * kRow + lane % kRow;
  HeadSum result{{}, MinusInfinity(), 0};
#pragma unroll 1
  for (int first = 0; first < count; first += kBatch) {
    float2 state = make_float2(MinusInfinity(), 0);
    if (lane < kBatch && first + lane < count) {
      state = states[(first + lane) * kMmaTileHeads + head];
    }
    float4 part[kBatch / kSets];
#pragma unroll
    for (int i = 0; i < kBatch / kSets; ++i) {
      const int at = first + i * kSets + set;
      part[i] = at < count ? from[at * kMmaTileHeads * kRow] : float4{};
    }
    const float before = result.max;
    float highest = state.x;
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
      highest = fmaxf(highest, __shfl_xor_sync(0xffffffffU, highest, apart));
    }
    result.max = fmaxf(before, highest);
    const float base = BaseOf(result.max);
    const float factor = Exp2(before - base);
    const float weight = Exp2(state.x - base);
    result.total = fmaf(weight, state.y, result.total * factor);
    result.sum = Fma(factor, result.sum, float4{});
#pragma unroll
    for (int i = 0; i < kBatch / kSets; ++i) {
      result.sum = Fma(__shfl_sync(0xffffffffU, weight, i * kSets + set), part[i], result.sum);
    }
  }
  result.total = SumOverLanes(result.total);
  if constexpr (kSets == 2) {
    result.sum.x += __shfl_xor_sync(0xffffffffU, result.sum.x, 16);
    result.sum.y += __shfl_xor_sync(0xffffffffU, result.sum.y, 16);
    result.sum.z += __shfl_xor_sync(0xffffffffU, result.sum.z, 16);
    result.sum.w += __shfl_xor_sync(0xffffffffU, result.sum.w, 16);
  }
  return result;
}

// `out` is aligned to one float only.
template <int kDim>
__device__ __forceinline__ void PutHead(const HeadSum& head, float* out) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (lane < kDim / 4) {
    const float inverse = 1.0F / head.total;
    out[4 * lane] = head.sum.x * inverse;
    out[4 * lane + 1] = head.sum.y * inverse;
    out[4 * lane + 2] = head.sum.z * inverse;
    out[4 * lane + 3] = head.sum.w * inverse;
  }
}

// Adds the warps' parts in shared memory, and in the last block of an item those of its chunks; one
// warp per head.
template <int kDim, bool kMergeHere>
__device__ __forceinline__ void FinishMma(const AttentionWork& work, const AttentionBlock& block,
                                          const float* sums, const float2* states) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const std::int64_t first_part = block.item * work.chunks;
  float* const out = work.out + (block.sequence * work.heads + block.first_head) * kDim;
#pragma unroll 1
  for (int head = warp; head < block.heads; head += kMmaWarps<kDim>) {
    const HeadSum result = MergeHead<kDim, kMmaWarps<kDim>>(sums, states, kMmaWarps<kDim>, head);
    if (block.active == 1) {
      PutHead<kDim>(result, out + head * kDim);
      continue;
    }
    const std::int64_t at = (first_part + block.chunk) * kMmaTileHeads + head;
    if (lane < kDim / 4) {
      reinterpret_cast<float4*>(work.sums + at * kDim)[lane] = result.sum;
    }
    if (lane == 0) {
      work.states[at] = make_float2(result.max, result.total);
    }
  }
  if constexpr (kMergeHere) {
    if (block.active == 1 ||
        !IsLastBlock(work.counters + block.item, static_cast<unsigned>(block.active))) {
      return;
    }
#pragma unroll 1
    for (int head = warp; head < block.heads; head += kMmaWarps<kDim>) {
      PutHead<kDim>(
          MergeHead<kDim, 32>(work.sums + first_part * kMmaTileHeads * kDim,
                              work.states + first_part * kMmaTileHeads, block.active, head),
          out + head * kDim);
    }
  }
}

// kRows: queries are rows of their own (AttentionRows). As a question to ask at run time it made
// the compiler spill.
template <int kDim, bool kMergeHere, bool kRows>
__global__ void __launch_bounds__(32 * kMmaWarps<kDim>, kMmaBlocksPerSm)
    MmaKernel(AttentionWork work) {
  using Warp = MmaWarp<kDim>;
  constexpr int kStages = kMmaStages;
  constexpr int kWarps = kMmaWarps<kDim>;
  constexpr int kTile = Warp::kTile;
  constexpr int kUnits = kDim / 8;           // of 16 bytes in a row
  constexpr int kRowsPerCopy = 32 / kUnits;  // slots that one copy of all lanes covers
  // Rows on 128 bytes: behind the flag of IsLastBlock they lay 16 bytes further on, and everything
  // took 8 % longer.
  extern __shared__ __align__(128) float4 shared[];
  LetNextStart();
  if (work.lengths != nullptr) {
    WaitForPrevious();
  }
  AttentionBlock block;
  if (!FindBlock(work, &block)) {
    return;
  }
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int slots = block.end - block.begin;
  const int tiles = (slots + kMmaSlots - 1) / kMmaSlots;
  const std::uint32_t ring =
      SharedAddress(shared) + static_cast<std::uint32_t>(warp * kStages * 2 * kTile);

  const std::int64_t stride = static_cast<std::int64_t>(work.kv_heads) * kDim * 2;  // bytes
  const int row = lane / kUnits;
  const int unit = lane % kUnits;
  const std::int64_t cache = kRows ? CacheOf(work, block.sequence) : block.sequence;
  const std::int64_t start = (cache * work.capacity + block.begin + row) * stride +
                             static_cast<std::int64_t>(block.kv_head) * kDim * 2 + unit * 16;
  const auto* const k = static_cast<const std::byte*>(work.k) + start;
  const auto* const v = static_cast<const std::byte*>(work.v) + start;
  const auto fetch = [&](int tile, int stage) {
    if (tile < tiles) {
      const std::uint32_t to = ring + static_cast<std::uint32_t>(stage * 2 * kTile);
      const std::int64_t at = tile * kMmaSlots * stride;
      const int rest = slots - tile * kMmaSlots - row;
#pragma unroll
      for (int i = 0; i < kMmaSlots / kRowsPerCopy; ++i) {
        const bool wanted = i * kRowsPerCopy < rest;
        const std::int64_t from = wanted ? at + i * kRowsPerCopy * stride : 0;
        const auto offset =
            static_cast<std::uint32_t>(TileOffset<kDim>(i * kRowsPerCopy + row, unit));
        CopyAsync(to + offset, k + (wanted ? from : -row * stride), wanted);
        CopyAsync(to + kTile + offset, v + (wanted ? from : -row * stride), wanted);
      }
    }
    CommitCopies();  // an empty group keeps the count
  };

  if (work.lengths == nullptr) {
    // The warp's first tiles, a row of K or V per lane.
    const auto* const rows = static_cast<const std::byte*>(lane < kMmaSlots ? work.k : work.v);
#pragma unroll
    for (int i = 0; i < kMmaTilesAhead<kDim>; ++i) {
      const int slot = (warp + i * kWarps) * kMmaSlots + lane % kMmaSlots;
      if (slot < slots) {
        FetchAhead(rows + start + (slot - row) * stride - unit * 16, 2 * kDim);
      }
    }
    WaitForPrevious();
  }

  // The queries come first, once for the block: behind the first tiles of K and V they were 4 us
  // under way, as were they when every warp fetched them for itself.
  const std::int64_t first_query = kRows ? block.sequence * work.q_row + block.first_head * kDim
                                         : (block.sequence * work.heads + block.first_head) * kDim;
  float* const queries =
      reinterpret_cast<float*>(reinterpret_cast<std::byte*>(shared) + kMmaRingBytes<kDim>);
  for (int i = static_cast<int>(threadIdx.x); i < block.heads * kDim; i += 32 * kWarps) {
    CopyFloatAsync(SharedAddress(queries + i / kDim * kMmaQueryRow<kDim> + i % kDim),
                   work.q + first_query + i);
  }
  CommitCopies();
#pragma unroll 1
  for (int s = 0; s < kStages - 1; ++s) {
    fetch(warp + s * kWarps, s);
  }
  WaitForCopies<kStages - 1>();
  __syncthreads();
  Warp state;
  state.LoadQuery(queries, block.heads);

  int stage = 0, filled = kStages - 1;
#pragma unroll 1
  for (int tile = warp; tile < tiles; tile += kWarps) {
    WaitForCopies<kStages - 2>();
    __syncwarp();  // every lane's copies are here, and the stage to fill next has been read
    fetch(tile + (kStages - 1) * kWarps, filled);
    filled = filled + 1 == kStages ? 0 : filled + 1;
    state.Attend(ring + static_cast<std::uint32_t>(stage * 2 * kTile), slots - tile * kMmaSlots,
                 work.scale_log2);
    stage = stage + 1 == kStages ? 0 : stage + 1;
  }
  WaitForCopies<0>();
  __syncthreads();  // the rings become memory for the parts
  auto* const sums = reinterpret_cast<float*>(shared);
  auto* const states = reinterpret_cast<float2*>(sums + kWarps * kMmaTileHeads * kDim);
  static_assert(kWarps * kMmaTileHeads * (kDim * 4 + 8) <= kMmaRingBytes<kDim>);
  state.Store(sums + warp * kMmaTileHeads * kDim, states + warp * kMmaTileHeads);
  __syncthreads();
  FinishMma<kDim, kMergeHere>(work, block, sums, states);
}

}  // namespace kernels::cuda
