// SPDX-License-Identifier: Apache-2.0
// attention_parts.cuh: how an attention over a cache is cut into chunks of slots, and how the parts
// are put together again.
//
// A block takes one chunk of one item: a sequence, a KV head and up to kTileHeads query heads of
// its group, which share every read of K and V. Its warps go through the chunk on their own, each
// with a running maximum; their parts are added in shared memory, those of the chunks in global
// memory by a second kernel (attention_merge.cuh) or the block that comes last. A part is, per
// head, the sum of 2^(score - max) v, the maximum, and the sum of 2^(score - max). Parts are added
// in an order that depends on their number and size alone.
#pragma once

#include <cstdint>

#include "kernels/cuda/attention/attention_plan.h"
#include "kernels/cuda/dot/weights.cuh"
#include "kernels/cuda/runtime/last_block.cuh"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/decode_attention.h"

namespace kernels::cuda {

inline constexpr int kAttentionThreads = 256;
inline constexpr int kAttentionWarps = kAttentionThreads / 32;

// What a kernel is told. Blocks: x for KV heads and tiles of their groups, neighbours in memory, y
// for chunks, z for sequences.
struct AttentionWork {
  const float* q;
  const void *k, *v;
  float* out;
  const std::int32_t* lengths;  // null: `length` for all
  float scale_log2;             // scale / ln 2: scores are powers of two
  int heads, kv_heads, dim, group;
  int tiles;       // of kTileHeads heads in a group
  int tile_heads;  // heads per tile, at most
  int chunks, chunk_slots, capacity, length;
  int active;      // chunks that have slots where `lengths` is null
  float* sums;     // [item][chunk][tile_heads][dim]
  float2* states;  // [item][chunk][tile_heads]: maximum and sum of weights
  std::uint32_t* counters;
  // Where queries are rows of their own (AttentionRows): the cache's sequence of each, and what is
  // added to `lengths`, which then are positions.
  const std::int32_t* sequences = nullptr;
  int beyond = 0;
  int q_row = 0;  // elements from one row of q to the next
};

__device__ __forceinline__ int LengthOf(const AttentionWork& work, std::int64_t row) {
  return work.lengths == nullptr ? work.length : work.lengths[row] + work.beyond;
}
__device__ __forceinline__ std::int64_t CacheOf(const AttentionWork& work, std::int64_t row) {
  return work.sequences == nullptr ? row : work.sequences[row];
}

// The part of the work that one block does.
struct AttentionBlock {
  std::int64_t sequence, item;
  int begin, end;  // slots
  int kv_head, first_head, heads, chunk;
  int active;  // chunks of this sequence that have slots
};

// ex2.approx keeps subnormals; 2^-inf = 0.
__device__ __forceinline__ float Exp2(float x) {
  float y;
  asm("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ float MinusInfinity() { return __int_as_float(0xff800000); }

// What to subtract from scores of this maximum: while all are -inf, 0, so that their weight is 0
// and not NaN.
__device__ __forceinline__ float BaseOf(float max) { return max == MinusInfinity() ? 0.0F : max; }

// False where the block has nothing to do: its chunk lies past the sequence, or the length is
// outside the cache, for which the block of chunk 0 writes NaN.
__device__ __forceinline__ bool FindBlock(const AttentionWork& work, AttentionBlock* block) {
  const auto x = static_cast<int>(blockIdx.x);
  block->kv_head = work.tiles == 1 ? x : x / work.tiles;
  const int tile = x - block->kv_head * work.tiles;
  block->chunk = static_cast<int>(blockIdx.y);
  block->sequence = blockIdx.z;
  block->item = block->sequence * gridDim.x + x;
  block->first_head = block->kv_head * work.group + tile * work.tile_heads;
  block->heads = min(work.tile_heads, work.group - tile * work.tile_heads);
  const int length = LengthOf(work, block->sequence);
  block->active = work.active;
  if (work.lengths != nullptr) {
    block->active = static_cast<int>((static_cast<unsigned>(length) - 1) /
                                     static_cast<unsigned>(work.chunk_slots)) +
                    1;
  }
  if (length < 1 || length > work.capacity) {
    if (block->chunk == 0) {
      float* const out = work.out + (block->sequence * work.heads + block->first_head) * work.dim;
#pragma unroll 1
      for (int i = static_cast<int>(threadIdx.x); i < block->heads * work.dim;
           i += static_cast<int>(blockDim.x)) {
        out[i] = __int_as_float(0x7fffffff);
      }
    }
    return false;
  }
  block->begin = block->chunk * work.chunk_slots;
  block->end = min(length, block->begin + min(work.chunk_slots, length - block->begin));
  return block->begin < length;
}

// Shared memory of MergeParts.
struct MergeScratch {
  float weights[kMaxChunks * 8];
  float4 columns[kAttentionThreads];
  float totals[8], maxima[8];
};

__device__ __forceinline__ float4 Fma(float a, float4 b, float4 c) {
  return {fmaf(a, b.x, c.x), fmaf(a, b.y, c.y), fmaf(a, b.z, c.z), fmaf(a, b.w, c.w)};
}
__device__ __forceinline__ float Fma(float a, float b, float c) { return fmaf(a, b, c); }

// Adds `count` parts of `heads` heads. V: float4, or float where dim is no multiple of 4. Calls
// sink(head, column in units of V, sum, maximum, sum of weights) once per element. All threads of
// the block must call it; the parts must be visible to all.
template <class V, class Sink>
__device__ __forceinline__ void MergeParts(const float* sums, const float2* states, int count,
                                           int heads, int tile_heads, int dim,
                                           MergeScratch* scratch, Sink&& sink) {
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  for (int head = thread / 32; head < heads; head += kAttentionWarps) {
    float max = MinusInfinity();
    for (int i = lane; i < count; i += 32) {
      max = fmaxf(max, states[i * tile_heads + head].x);
    }
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
      max = fmaxf(max, __shfl_xor_sync(0xffffffffU, max, apart));
    }
    float total = 0;
    for (int i = lane; i < count; i += 32) {
      const float2 state = states[i * tile_heads + head];
      const float weight = Exp2(state.x - BaseOf(max));
      scratch->weights[i * heads + head] = weight;
      total = fmaf(weight, state.y, total);
    }
    total = SumOverLanes(total);
    if (lane == 0) {
      scratch->totals[head] = total;
      scratch->maxima[head] = max;
    }
  }
  __syncthreads();

  constexpr int kWidth = sizeof(V) / sizeof(float);
  const int row = dim / kWidth;
  const int columns = heads * row;
  const int pass = min(columns, kAttentionThreads);
  const int groups = kAttentionThreads / pass;
  const int group = thread / pass;
  auto* const kept = reinterpret_cast<V*>(scratch->columns);
  for (int first = 0; first < columns; first += pass) {
    const int column = first + thread % pass;
    const bool mine = group < groups && column < columns;
    V sum{};
    if (mine) {
      const int head = column / row;
      const V* const from = reinterpret_cast<const V*>(sums) + column;
#pragma unroll 8
      for (int i = group; i < count; i += groups) {
        sum = Fma(scratch->weights[i * heads + head],
                  from[static_cast<std::int64_t>(i) * tile_heads * row], sum);
      }
      kept[thread] = sum;
    }
    __syncthreads();
    if (mine && group == 0) {
      for (int g = 1; g < groups; ++g) {
        sum = Fma(1.0F, kept[g * pass + thread], sum);
      }
      const int head = column / row;
      sink(head, column % row, sum, scratch->maxima[head], scratch->totals[head]);
    }
    __syncthreads();
  }
}

// `to` is aligned to one float only.
__device__ __forceinline__ void PutQuotient(float4 a, float b, float* to) {
  to[0] = a.x / b;
  to[1] = a.y / b;
  to[2] = a.z / b;
  to[3] = a.w / b;
}
__device__ __forceinline__ void PutQuotient(float a, float b, float* to) { *to = a / b; }

// `count` parts to the outputs of a block's heads.
template <class V>
__device__ __forceinline__ void MergeToOutput(const AttentionWork& work,
                                              const AttentionBlock& block, const float* sums,
                                              const float2* states, int count,
                                              MergeScratch* scratch) {
  constexpr int kWidth = sizeof(V) / sizeof(float);
  float* const out = work.out + (block.sequence * work.heads + block.first_head) * work.dim;
  MergeParts<V>(sums, states, count, block.heads, work.tile_heads, work.dim, scratch,
                [&](int head, int column, V sum, float, float total) {
                  PutQuotient(sum, total, out + head * work.dim + kWidth * column);
                });
}

// What is left when the block's own parts lie in shared memory (barrier included): to the outputs
// where this chunk is the only one, else to global memory and, unless a second kernel does it, from
// there to the outputs in the last block.
template <class V, bool kMergeHere>
__device__ __forceinline__ void FinishBlock(const AttentionWork& work, const AttentionBlock& block,
                                            const float* sums, const float2* states, int count,
                                            MergeScratch* scratch) {
  if (block.active == 1) {
    MergeToOutput<V>(work, block, sums, states, count, scratch);
    return;
  }
  const std::int64_t first = block.item * work.chunks;
  const std::int64_t size = static_cast<std::int64_t>(work.tile_heads) * work.dim;
  float* const all_sums = work.sums + first * size;
  float2* const all_states = work.states + first * work.tile_heads;
  auto* const to = reinterpret_cast<V*>(all_sums + block.chunk * size);
  float2* const state = all_states + block.chunk * work.tile_heads;
  const int row = work.dim / static_cast<int>(sizeof(V) / sizeof(float));
  MergeParts<V>(sums, states, count, block.heads, work.tile_heads, work.dim, scratch,
                [&](int head, int column, V sum, float max, float total) {
                  to[head * row + column] = sum;
                  if (column == 0) {
                    state[head] = make_float2(max, total);
                  }
                });
  if constexpr (kMergeHere) {
    if (IsLastBlock(work.counters + block.item, static_cast<unsigned>(block.active))) {
      MergeToOutput<V>(work, block, all_sums, all_states, block.active, scratch);
    }
  }
}

}  // namespace kernels::cuda
