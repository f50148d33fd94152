// SPDX-License-Identifier: Apache-2.0
// attention_fma.cuh: attention over a cache of any dtype, head size and alignment, by float32 fmas.
//
// A slot's row is spread over a power of two of lanes, 16 bytes each; the lanes of a warp that are
// left take the next slots. Such a set of lanes has a running maximum of its own, so nothing but
// the dot products crosses lanes until the end.
//
// Where addresses are aligned a lane's share of the next steps is on its way to a ring in shared
// memory, which no other lane reads; else a step loads what it needs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/attention_mma.cuh"
#include "kernels/cuda/attention_parts.cuh"
#include "kernels/cuda/cluster_push.cuh"
#include "kernels/cuda/copy_async.cuh"
#include "kernels/cuda/reduce.cuh"

namespace kernels::cuda {

inline constexpr int kFmaTileHeads = 4;

// Lanes that share a slot: the least power of two that covers `dim` with kLoads loads each.
template <class T, int kLoads>
__host__ __device__ constexpr int LanesPerSlot(int dim) {
  int lanes = 1;
  while (lanes * kLoads * kPerLoad<T> < dim) {
    lanes *= 2;
  }
  return lanes;
}

inline constexpr int kFmaStages = 3;
inline constexpr int kFmaLoads = 4;  // of K, and of V, per lane and step
inline constexpr std::size_t kFmaRingBytes =
    std::size_t{kFmaStages} * kFmaLoads * 2 * kAttentionThreads * 16;

// The ring and, when it has been read, the parts in its place.
template <class T, int kLoads, bool kAligned>
std::size_t FmaSharedBytes(int dim) {
  const auto parts =
      static_cast<std::size_t>(kAttentionThreads / LanesPerSlot<T, kLoads>(dim) * kFmaTileHeads);
  // Sums of 16 bytes' alignment, then states.
  const std::size_t bytes = (parts * static_cast<std::size_t>(dim) * sizeof(float) + 15) / 16 * 16 +
                            parts * sizeof(float2) + sizeof(MergeScratch) + 16;
  return kAligned ? std::max(bytes, kFmaRingBytes) : bytes;
}

// Who adds the parts of an item: a second kernel, the last block of the item, or all blocks of a
// cluster, which then is the item's and pushes them (cluster_push.cuh), each block adding its
// columns.
enum class FmaMerge { kSecondKernel, kLastBlock, kCluster };

// Beyond the ring: 2^log_ranks parts of the columns of one block.
__host__ __device__ constexpr int FmaPushedBytes(int log_ranks, int heads, int dim) {
  return heads * (dim * 4 + (8 << log_ranks));
}

// Adds the block's parts, pushes the sum to the blocks that have its columns, and adds what they
// push. sums, states: as FinishBlock has them; dim / 4 is a multiple of the ranks.
__device__ __forceinline__ void FinishInCluster(const AttentionWork& work,
                                                const AttentionBlock& block, const float* sums,
                                                const float2* states, int count, int log_ranks,
                                                int rank, float4* pushed, std::uint32_t barrier,
                                                MergeScratch* scratch) {
  const int ranks = 1 << log_ranks;
  const int quads = work.dim / 4 >> log_ranks;  // of this block
  auto* const pushed_states = reinterpret_cast<float2*>(pushed + ranks * block.heads * quads);
  MergeParts<float4>(sums, states, count, block.heads, work.tile_heads, work.dim, scratch,
                     [&](int head, int column, float4 sum, float max, float total) {
                       const int part = rank * block.heads + head;
                       const int owner = column / quads;
                       const std::uint32_t to =
                           SharedAddress(pushed + part * quads + (column - owner * quads));
                       Push(to, barrier, owner, sum.x, sum.y);
                       Push(to + 8, barrier, owner, sum.z, sum.w);
                       if (column < ranks) {
                         Push(SharedAddress(pushed_states + part), barrier, column, max, total);
                       }
                     });
  WaitForPushes(barrier);
  float* const out =
      work.out + (block.sequence * work.heads + block.first_head) * work.dim + rank * quads * 4;
  MergeParts<float4>(reinterpret_cast<const float*>(pushed), pushed_states, ranks, block.heads,
                     block.heads, 4 * quads, scratch,
                     [&](int head, int column, float4 sum, float, float total) {
                       PutQuotient(sum, total, out + head * work.dim + 4 * column);
                     });
}

// 2^log_ranks: blocks of a cluster. Two blocks per SM where their registers allow it.
template <class T, int kLoads, bool kAligned, FmaMerge kMerge>
__global__ void __launch_bounds__(kAttentionThreads, kLoads* kPerLoad<T> == 4 ? kMmaBlocksPerSm : 1)
    FmaKernel(AttentionWork work, int log_ranks) {
  constexpr int kElements = kLoads * kPerLoad<T>;  // of a row, per lane
  constexpr int kSteps = kFmaLoads / kLoads;       // slots per lane and step
  extern __shared__ float4 shared[];
  LetNextStart();
  WaitForPrevious();
  const int dim = work.dim;
  const int lanes = LanesPerSlot<T, kLoads>(dim);
  const int part = static_cast<int>(threadIdx.x) / lanes;  // of this block
  const int parts = kAttentionThreads / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  constexpr bool kInCluster = kMerge == FmaMerge::kCluster;
  __shared__ std::uint64_t pushed;
  const int ranks = kInCluster ? 1 << log_ranks : 1;
  const int rank = static_cast<int>(blockIdx.x) & (ranks - 1);
  const int advance = parts * kSteps * ranks;  // blocks of a cluster take steps in turn
  AttentionBlock block;
  if constexpr (kInCluster) {
    block.end = FindItem(work, static_cast<int>(blockIdx.x) >> log_ranks, rank == 0, &block);
    if (block.end == 0) {
      return;  // in all blocks of the cluster
    }
    block.begin = rank * parts * kSteps;
    if (threadIdx.x == 0) {
      ExpectPushes(SharedAddress(&pushed), FmaPushedBytes(log_ranks, block.heads, dim));
    }
    __syncwarp();
    ArriveAtCluster();
  } else if (!FindBlock(work, &block)) {
    return;
  }
  const auto element = [&](int load) { return (load * lanes + lane) * kPerLoad<T>; };

  float q[kFmaTileHeads][kElements];
  float out[kFmaTileHeads][kElements] = {};
  float max[kFmaTileHeads], total[kFmaTileHeads] = {};
  const float* const queries = work.q + (block.sequence * work.heads + block.first_head) * dim;
#pragma unroll
  for (int h = 0; h < kFmaTileHeads; ++h) {
    max[h] = MinusInfinity();
#pragma unroll
    for (int e = 0; e < kElements; ++e) {
      const int d = element(e / kPerLoad<T>) + e % kPerLoad<T>;
      q[h][e] = h < block.heads && d < dim ? queries[h * dim + d] : 0.0F;
    }
  }
  const std::int64_t stride = static_cast<std::int64_t>(work.kv_heads) * dim;
  const std::int64_t start = block.sequence * work.capacity * stride + block.kv_head * dim;
  const T* const k = static_cast<const T*>(work.k) + start;
  const T* const v = static_cast<const T*>(work.v) + start;

  // This lane's 16 bytes number `load` of K, or of V with kFmaLoads added, in the ring.
  const auto place = [&](int stage, int load) {
    return shared + (stage * 2 * kFmaLoads + load) * kAttentionThreads + threadIdx.x;
  };
  const auto fetch = [&](int first, int stage) {
    if (first < block.end) {
#pragma unroll
      for (int i = 0; i < kFmaLoads; ++i) {
        const int slot = first + i / kLoads * parts + part;
        const int d = element(i % kLoads);
        const bool wanted = slot < block.end && d < dim;  // else zeros
        const std::int64_t at = wanted ? slot * stride + d : 0;
        CopyAsync(SharedAddress(place(stage, i)), k + at, wanted);
        CopyAsync(SharedAddress(place(stage, i + kFmaLoads)), v + at, wanted);
      }
    }
    CommitCopies();  // an empty group keeps the count
  };
  int stage = 0;
  if constexpr (kAligned) {
#pragma unroll 1
    for (int i = 0; i < kFmaStages - 1; ++i) {
      fetch(block.begin + i * advance, i);
    }
  }

  // Lanes of a warp stay together: all of them take the same number of steps.
#pragma unroll 1
  for (int first = block.begin; first < block.end; first += advance) {
    uint4 keys[kSteps][kLoads], values[kSteps][kLoads];
    if constexpr (kAligned) {
      WaitForCopies<kFmaStages - 2>();
      fetch(first + (kFmaStages - 1) * advance, stage == 0 ? kFmaStages - 1 : stage - 1);
    }
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      const int slot = first + s * parts + part;
      const int length = slot < block.end ? dim : 0;  // zeros for slots past the end
      const std::int64_t at = slot < block.end ? slot * stride : 0;
#pragma unroll
      for (int l = 0; l < kLoads; ++l) {
        if constexpr (kAligned) {
          const int load = s * kLoads + l;
          keys[s][l] = *reinterpret_cast<const uint4*>(place(stage, load));
          values[s][l] = *reinterpret_cast<const uint4*>(place(stage, load + kFmaLoads));
        } else {
          keys[s][l] = LoadWeights<T, false>(k + at, element(l), length);
          values[s][l] = LoadWeights<T, false>(v + at, element(l), length);
        }
      }
    }
    float weight[kSteps][kFmaTileHeads];
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
#pragma unroll
      for (int h = 0; h < kFmaTileHeads; ++h) {
        float even = 0, odd = 0;
#pragma unroll
        for (int e = 0; e < kElements; e += 2) {
          const uint4& load = keys[s][e / kPerLoad<T>];
          even = fmaf(q[h][e], Weight<T>(load, e % kPerLoad<T>), even);
          odd = fmaf(q[h][e + 1], Weight<T>(load, e % kPerLoad<T> + 1), odd);
        }
        weight[s][h] = even + odd;
      }
    }
    for (int apart = lanes / 2; apart > 0; apart /= 2) {
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
#pragma unroll
        for (int h = 0; h < kFmaTileHeads; ++h) {
          weight[s][h] += __shfl_xor_sync(0xffffffffU, weight[s][h], apart);
        }
      }
    }
#pragma unroll
    for (int h = 0; h < kFmaTileHeads; ++h) {
      float highest = max[h];
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        const bool counts = first + s * parts + part < block.end;
        weight[s][h] = counts ? weight[s][h] * work.scale_log2 : MinusInfinity();
        highest = fmaxf(highest, weight[s][h]);
      }
      const float base = BaseOf(highest);
      const float factor = Exp2(max[h] - base);
      max[h] = highest;
      total[h] *= factor;
#pragma unroll
      for (int e = 0; e < kElements; ++e) {
        out[h][e] *= factor;
      }
#pragma unroll
      for (int s = 0; s < kSteps; ++s) {
        weight[s][h] = Exp2(weight[s][h] - base);
        total[h] += weight[s][h];
#pragma unroll
        for (int e = 0; e < kElements; ++e) {
          const float value = Weight<T>(values[s][e / kPerLoad<T>], e % kPerLoad<T>);
          out[h][e] = fmaf(weight[s][h], value, out[h][e]);
        }
      }
    }
    stage = stage + 1 == kFmaStages ? 0 : stage + 1;
  }
  if constexpr (kAligned) {
    WaitForCopies<0>();
    __syncthreads();  // the ring becomes memory for the parts
  }

  auto* const sums = reinterpret_cast<float*>(shared);
  auto* const states = reinterpret_cast<float2*>(shared + (parts * kFmaTileHeads * dim + 3) / 4);
  auto* const scratch = reinterpret_cast<MergeScratch*>(
      shared + (parts * kFmaTileHeads * dim + 3) / 4 + (parts * kFmaTileHeads + 1) / 2);
#pragma unroll
  for (int h = 0; h < kFmaTileHeads; ++h) {
#pragma unroll
    for (int e = 0; e < kElements; ++e) {
      const int d = element(e / kPerLoad<T>) + e % kPerLoad<T>;
      if (d < dim) {
        sums[(part * kFmaTileHeads + h) * dim + d] = out[h][e];
      }
    }
    if (lane == 0) {
      states[part * kFmaTileHeads + h] = make_float2(max[h], total[h]);
    }
  }
  __syncthreads();
  constexpr bool kMergeHere = kMerge == FmaMerge::kLastBlock;
  if constexpr (kInCluster) {
    WaitForCluster();  // every block runs, so its memory may be written to
    FinishInCluster(work, block, sums, states, parts, log_ranks, rank,
                    shared + kFmaRingBytes / sizeof(float4), SharedAddress(&pushed), scratch);
  } else if (kAligned || dim % 4 == 0) {
    FinishBlock<float4, kMergeHere>(work, block, sums, states, parts, scratch);
  } else {
    FinishBlock<float, kMergeHere>(work, block, sums, states, parts, scratch);
  }
}

}  // namespace kernels::cuda
