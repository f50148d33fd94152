// SPDX-License-Identifier: Apache-2.0
// attention_merge.cuh: the second of the two kernels of a split attention, which adds the parts of
// all chunks.
#pragma once

#include <cstdint>

#include "kernels/cuda/attention/attention_parts.cuh"
#include "kernels/cuda/runtime/launch.cuh"

namespace kernels::cuda {

// One block per query head. V: float4, or float where dim is no multiple of 4; kRow: dim in units
// of V, 0 where it is not known to the compiler. Line l of the threads adds parts l, l + lines, l +
// 2 lines, ... with a running maximum, so that parts and what they weigh are fetched together: one
// trip to memory, where weighing them first takes three. Where the parts lie is found while the
// first kernel still runs, since a division takes as long as a tenth of such a trip.
template <class V, int kRow>
__global__ void __launch_bounds__(kAttentionThreads) MergeKernel(AttentionWork work) {
  constexpr int kAtOnce = 4;  // parts that a thread has under way
  constexpr int kWidth = static_cast<int>(sizeof(V) / sizeof(float));
  __shared__ V line_sums[kAttentionThreads];
  __shared__ float2 line_states[kAttentionThreads];
  LetNextStart();
  const int row = kRow > 0 ? kRow : work.dim / kWidth;
  const int lines = kAttentionThreads / row;
  const int line = static_cast<int>(threadIdx.x) / row;
  const int column = static_cast<int>(threadIdx.x) - line * row;
  const int sequence = static_cast<int>(blockIdx.x) / work.heads;
  const int head = static_cast<int>(blockIdx.x) - sequence * work.heads;
  const int kv_head = head / work.group;
  const int tile = (head - kv_head * work.group) / work.tile_heads;
  const int of_tile = head - kv_head * work.group - tile * work.tile_heads;
  const std::int64_t item =
      (static_cast<std::int64_t>(sequence) * work.kv_heads + kv_head) * work.tiles + tile;
  const std::int64_t first = item * work.chunks * work.tile_heads + of_tile;
  const V* const sums = reinterpret_cast<const V*>(work.sums) + first * row + column;
  const float2* const states = work.states + first;
  int parts = work.active;
  WaitForPrevious();
  if (work.lengths != nullptr) {
    const int length = LengthOf(work, sequence);
    parts = length > work.capacity ? 0 : (length + work.chunk_slots - 1) / work.chunk_slots;
  }
  if (parts <= 1) {
    return;  // the only chunk, or the check of the length, has written the outputs
  }

  V sum{};
  float max = MinusInfinity(), total = 0;
#pragma unroll 1
  for (int start = line; line < lines && start < parts; start += lines * kAtOnce) {
    V part[kAtOnce];
    float2 state[kAtOnce];
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const std::int64_t at = static_cast<std::int64_t>(start + i * lines) * work.tile_heads;
      const bool there = start + i * lines < parts;
      state[i] = there ? states[at] : make_float2(MinusInfinity(), 0);
      part[i] = there ? sums[at * row] : V{};
    }
    const float before = max;
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      max = fmaxf(max, state[i].x);
    }
    const float base = BaseOf(max);
    const float factor = Exp2(before - base);
    total *= factor;
    sum = Fma(factor, sum, V{});
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      const float weight = Exp2(state[i].x - base);
      total = fmaf(weight, state[i].y, total);
      sum = Fma(weight, part[i], sum);
    }
  }
  line_sums[threadIdx.x] = sum;
  if (column == 0) {
    line_states[line] = make_float2(max, total);
  }
  __syncthreads();
  if (line > 0) {
    return;
  }
  constexpr int kUnroll = kRow > 0 ? kAttentionThreads / kRow : 4;
  max = MinusInfinity();
#pragma unroll kUnroll
  for (int i = 0; i < lines; ++i) {
    max = fmaxf(max, line_states[i].x);
  }
  const float base = BaseOf(max);
  total = 0;
  sum = V{};
#pragma unroll kUnroll
  for (int i = 0; i < lines; ++i) {
    const float weight = Exp2(line_states[i].x - base);
    total = fmaf(weight, line_states[i].y, total);
    sum = Fma(weight, line_sums[i * row + column], sum);
  }
  PutQuotient(sum, total,
              work.out + static_cast<std::int64_t>(blockIdx.x) * work.dim + column * kWidth);
}

}  // namespace kernels::cuda
