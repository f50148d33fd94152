// SPDX-License-Identifier: Apache-2.0
// attention_fma.cuh: attention over a cache of any dtype, head size and alignment, by float32 fmas.
//
// A slot's row is spread over a power of two of lanes, 16 bytes each; the lanes of a warp that are
// left take the next slots. Such a set of lanes has a running maximum of its own, so nothing but
// the dot products crosses lanes until the end.
#pragma once

#include <cstdint>

#include "kernels/cuda/attention/attention_parts.cuh"

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

template <class T, int kLoads>
std::size_t FmaSharedBytes(int dim) {
  const auto parts =
      static_cast<std::size_t>(kAttentionThreads / LanesPerSlot<T, kLoads>(dim) * kFmaTileHeads);
  // Sums of 16 bytes' alignment, then states.
  return (parts * static_cast<std::size_t>(dim) * sizeof(float) + 15) / 16 * 16 +
         parts * sizeof(float2) + sizeof(MergeScratch) + 16;
}
// Of any dim: where a lane has a slot to itself, there are most parts.
template <class T, int kLoads>
std::size_t MostFmaSharedBytes() {
  return FmaSharedBytes<T, kLoads>(kLoads * kPerLoad<T>);
}

template <class T, int kLoads, bool kAligned, bool kMergeHere>
__global__ void __launch_bounds__(kAttentionThreads, 1) FmaKernel(AttentionWork work) {
  constexpr int kElements = kLoads * kPerLoad<T>;    // of a row, per lane
  constexpr int kSteps = 4 / kLoads;                 // slots in flight per lane
  extern __shared__ __align__(128) float4 shared[];  // as MmaKernel's, whose name it has
  LetNextStart();
  if (work.lengths != nullptr) {
    WaitForPrevious();
  }
  AttentionBlock block;
  if (!FindBlock(work, &block)) {
    return;
  }
  if (work.lengths == nullptr) {
    // The block's first slots, a row of K or V per thread: 67 MB of float32 take 28.8 us instead of
    // 29.5.
    constexpr int kSlots = kAttentionThreads / 2;
    const int slot = static_cast<int>(threadIdx.x) % kSlots;
    const auto* const rows = static_cast<const T*>(threadIdx.x < kSlots ? work.k : work.v);
    const std::int64_t at = CacheOf(work, block.sequence) * work.capacity + block.begin + slot;
    if (slot < block.end - block.begin) {
      FetchAhead(rows + (at * work.kv_heads + block.kv_head) * work.dim,
                 work.dim * static_cast<std::int64_t>(sizeof(T)));
    }
    WaitForPrevious();
  }
  const int dim = work.dim;
  const int lanes = LanesPerSlot<T, kLoads>(dim);
  const int part = static_cast<int>(threadIdx.x) / lanes;  // of this block
  const int parts = kAttentionThreads / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const auto element = [&](int load) { return (load * lanes + lane) * kPerLoad<T>; };

  float q[kFmaTileHeads][kElements];
  float out[kFmaTileHeads][kElements] = {};
  float max[kFmaTileHeads], total[kFmaTileHeads] = {};
  const float* const queries = work.q + block.sequence * work.q_row + block.first_head * dim;
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
  const std::int64_t start =
      CacheOf(work, block.sequence) * work.capacity * stride + block.kv_head * dim;
  const T* const k = static_cast<const T*>(work.k) + start;
  const T* const v = static_cast<const T*>(work.v) + start;

  // Lanes of a warp stay together: all of them take the same number of steps.
  for (int first = block.begin; first < block.end; first += parts * kSteps) {
    uint4 keys[kSteps][kLoads], values[kSteps][kLoads];
#pragma unroll
    for (int s = 0; s < kSteps; ++s) {
      const int slot = first + s * parts + part;
      const int length = slot < block.end ? dim : 0;  // zeros for slots past the end
      const std::int64_t at = slot < block.end ? slot * stride : 0;
#pragma unroll
      for (int l = 0; l < kLoads; ++l) {
        keys[s][l] = LoadWeights<T, kAligned>(k + at, element(l), length);
        values[s][l] = LoadWeights<T, kAligned>(v + at, element(l), length);
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
  if (dim % 4 == 0) {
    FinishBlock<float4, kMergeHere>(work, block, sums, states, parts, scratch);
  } else {
    FinishBlock<float, kMergeHere>(work, block, sums, states, parts, scratch);
  }
}

}  // namespace kernels::cuda
