// SPDX-License-Identifier: Apache-2.0
// Long: one kernel, whose parts share its layout of shared memory.
#include <algorithm>
#include <cmath>

#include "engine/ops/cuda/short_attention.h"
#include "kernels/cuda/attention/attention_parts.cuh"
#include "kernels/cuda/dot/weights.cuh"
#include "kernels/cuda/runtime/copy_async.cuh"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"

namespace engine::cuda {
namespace {

using kernels::cuda::BaseOf;
using kernels::cuda::CommitCopies;
using kernels::cuda::CopyAsync;
using kernels::cuda::Exp2;
using kernels::cuda::MinusInfinity;
using kernels::cuda::SharedAddress;
using kernels::cuda::SumOverLanes;
using kernels::cuda::WaitForCopies;

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr int kPerUnit = 8;  // bf16 elements of 16 bytes

// Of one block, beside what it has without asking: not all devices have as much as an H100.
std::size_t MostShared(const kernels::Context& context) {
  constexpr std::size_t kMost = std::size_t{200} << 10, kStatic = 2048;
  const std::size_t device = context.gpu->limits().shared_bytes;
  return std::min(kMost, device > kStatic ? device - kStatic : 0);
}

// cos and sin are null where rows are rotated and in the cache already.
struct Work {
  const float *qkv, *cos, *sin;
  const std::int32_t *positions, *sequences;
  __nv_bfloat16 *k, *v;
  float* out;
  __nv_bfloat16* half;  // out once more, or null
  std::int64_t capacity;
  int heads, kv_heads, group, slots;
  int held;          // slots that there is shared memory for
  float scale_log2;  // scale / ln 2: scores are powers of two
};

// Every warp leaves a part of the sums where the keys were.
constexpr int SlotsHeld(int slots, int group) { return std::max(slots, 2 * kWarps * group); }

constexpr std::size_t SharedBytes(int slots, int group, int dim) {
  return static_cast<std::size_t>(SlotsHeld(slots, group)) * static_cast<std::size_t>(dim) * 4 +
         static_cast<std::size_t>(group) * static_cast<std::size_t>(slots + dim) * sizeof(float);
}

__device__ __forceinline__ float Dot(const uint4& key, const float4& low, const float4& high) {
  using kernels::cuda::Weight;
  float sum = Weight<__nv_bfloat16>(key, 0) * low.x;
  sum = fmaf(Weight<__nv_bfloat16>(key, 1), low.y, sum);
  sum = fmaf(Weight<__nv_bfloat16>(key, 2), low.z, sum);
  sum = fmaf(Weight<__nv_bfloat16>(key, 3), low.w, sum);
  sum = fmaf(Weight<__nv_bfloat16>(key, 4), high.x, sum);
  sum = fmaf(Weight<__nv_bfloat16>(key, 5), high.y, sum);
  sum = fmaf(Weight<__nv_bfloat16>(key, 6), high.z, sum);
  return fmaf(Weight<__nv_bfloat16>(key, 7), high.w, sum);
}

// Blocks: x for KV heads, y for rows. Loops over slots are not unrolled: there are few, and code
// that runs once has to be fetched all the same.
template <int kDim, int kGroup, bool kAppend>
__global__ void __launch_bounds__(kThreads, 1) ShortKernel(Work work) {
  constexpr int kUnits = kDim / kPerUnit;     // lanes of a slot
  constexpr int kAtOnce = kThreads / kUnits;  // slots
  constexpr int kHalf = kDim / 2;
  extern __shared__ uint4 shared[];
  __shared__ float totals[kGroup];
  __shared__ float2 angles[kAppend ? kHalf : 1];  // cos, sin
  const int held = work.held;
  auto* const keys = reinterpret_cast<__nv_bfloat16*>(shared);  // [held][kDim]
  __nv_bfloat16* const values = keys + held * kDim;             // [held][kDim]
  // Queries first: their rows are read 16 bytes at a time, and `slots` may be any number.
  auto* const queries = reinterpret_cast<float*>(values + held * kDim);  // [kGroup][kDim]
  float* const scores = queries + kGroup * kDim;                         // [kGroup][slots]

  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int warp = thread / 32;
  const int unit = thread % kUnits;
  const int first_slot = thread / kUnits;
  kernels::cuda::LetNextStart();
  if (!kAppend) {  // an op of this step has written the cache
    kernels::cuda::WaitForPrevious();
  }
  const auto row = static_cast<std::int64_t>(blockIdx.y);
  const auto kv_head = static_cast<int>(blockIdx.x);
  const int position = work.positions[row];
  const std::int64_t stride = std::int64_t{work.kv_heads} * kDim;  // from slot to slot
  const std::int64_t start =
      work.sequences[row] * work.capacity * stride + std::int64_t{kv_head} * kDim;
  const int cached = kAppend ? position : position + 1;
  const auto fetch = [&](const __nv_bfloat16* from, __nv_bfloat16* to) {
    from += start + unit * kPerUnit;
    to += unit * kPerUnit;
#pragma unroll 1
    for (int slot = first_slot; slot < cached; slot += kAtOnce) {
      CopyAsync(SharedAddress(to + slot * kDim), from + slot * stride, true);
    }
    CommitCopies();
  };
  fetch(work.k, keys);
  fetch(work.v, values);

  if (kAppend) {
    // Only q, k and v of this row come from the kernel before; the rest is of earlier steps.
    if (thread < kHalf) {
      const std::int64_t at = std::int64_t{position} * kHalf + thread;
      angles[thread] = {work.cos[at], work.sin[at]};
    }
    __syncthreads();
    kernels::cuda::WaitForPrevious();
  }
  const float* const of_row =
      work.qkv + row * (work.heads + 2 * work.kv_heads) * std::int64_t{kDim};
  const auto rotated = [&](const float* x, int i) {
    const float a = x[i];
    const float b = x[i + kHalf];
    if constexpr (kAppend) {
      const float2 angle = angles[i];
      return float2{a * angle.x - b * angle.y, b * angle.x + a * angle.y};
    } else {
      return float2{a, b};
    }
  };
  const float* const own_queries = of_row + std::int64_t{kv_head} * work.group * kDim;
#pragma unroll 1
  for (int i = thread; i < kGroup * kHalf; i += kThreads) {
    const int head = i / kHalf;
    const int at = i % kHalf;
    const float2 q = head < work.group ? rotated(own_queries + head * kDim, at) : float2{0, 0};
    queries[head * kDim + at] = q.x * work.scale_log2;
    queries[head * kDim + at + kHalf] = q.y * work.scale_log2;
  }
  if (kAppend && thread >= kThreads - kHalf) {
    const int i = thread - (kThreads - kHalf);
    const float* const key = of_row + (work.heads + kv_head) * std::int64_t{kDim};
    const float* const value = key + stride;
    const float2 k = rotated(key, i);
    const std::int64_t at = start + position * stride + i;
    const int held_at = position * kDim + i;
    keys[held_at] = work.k[at] = __float2bfloat16_rn(k.x);
    keys[held_at + kHalf] = work.k[at + kHalf] = __float2bfloat16_rn(k.y);
    values[held_at] = work.v[at] = __float2bfloat16_rn(value[i]);
    values[held_at + kHalf] = work.v[at + kHalf] = __float2bfloat16_rn(value[i + kHalf]);
  }
  WaitForCopies<1>();  // the keys, which the lane that copied them reads
  __syncthreads();

  {
    float4 q[kGroup][2];
#pragma unroll
    for (int head = 0; head < kGroup; ++head) {
      const auto* const from =
          reinterpret_cast<const float4*>(queries + head * kDim + unit * kPerUnit);
      q[head][0] = from[0];
      q[head][1] = from[1];
    }
#pragma unroll 1
    for (int slot = first_slot; slot - first_slot <= position; slot += kAtOnce) {
      const bool valid = slot <= position;
      const uint4 key = valid ? shared[slot * kUnits + unit] : uint4{};
#pragma unroll
      for (int head = 0; head < kGroup; ++head) {
        float score = Dot(key, q[head][0], q[head][1]);
#pragma unroll
        for (int apart = kUnits / 2; apart > 0; apart /= 2) {
          score += __shfl_xor_sync(0xffffffffU, score, apart);
        }
        if (valid && unit == head) {
          scores[head * work.slots + slot] = score;
        }
      }
    }
  }
  __syncthreads();

  if (warp < kGroup) {
    float* const of_head = scores + warp * work.slots;
    float max = MinusInfinity();
#pragma unroll 1
    for (int slot = lane; slot <= position; slot += 32) {
      max = fmaxf(max, of_head[slot]);
    }
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
      max = fmaxf(max, __shfl_xor_sync(0xffffffffU, max, apart));
    }
    float total = 0;
#pragma unroll 1
    for (int slot = lane; slot <= position; slot += 32) {
      const float weight = Exp2(of_head[slot] - BaseOf(max));
      of_head[slot] = weight;
      total += weight;
    }
    total = SumOverLanes(total);
    if (lane == 0) {
      totals[warp] = total;
    }
  }
  WaitForCopies<0>();
  __syncthreads();

  float sums[kGroup][kPerUnit] = {};
#pragma unroll 1
  for (int slot = first_slot; slot <= position; slot += kAtOnce) {
    const uint4 value = shared[(held + slot) * kUnits + unit];
#pragma unroll
    for (int head = 0; head < kGroup; ++head) {
      const float weight = scores[head * work.slots + slot];
#pragma unroll
      for (int i = 0; i < kPerUnit; ++i) {
        sums[head][i] = fmaf(weight, kernels::cuda::Weight<__nv_bfloat16>(value, i), sums[head][i]);
      }
    }
  }
  auto* const parts = reinterpret_cast<float*>(keys);  // [kWarps][kGroup][kDim]
#pragma unroll
  for (int head = 0; head < kGroup; ++head) {
#pragma unroll
    for (int i = 0; i < kPerUnit; ++i) {
#pragma unroll
      for (int apart = kUnits; apart < 32; apart *= 2) {
        sums[head][i] += __shfl_xor_sync(0xffffffffU, sums[head][i], apart);
      }
    }
    if (lane < kUnits) {
      auto* const to =
          reinterpret_cast<float4*>(parts + (warp * kGroup + head) * kDim + unit * kPerUnit);
      to[0] = {sums[head][0], sums[head][1], sums[head][2], sums[head][3]};
      to[1] = {sums[head][4], sums[head][5], sums[head][6], sums[head][7]};
    }
  }
  __syncthreads();
  const std::int64_t to = (row * work.heads + std::int64_t{kv_head} * work.group) * kDim;
#pragma unroll 1
  for (int i = thread; i < work.group * kDim; i += kThreads) {
    float sum = 0;
#pragma unroll 4
    for (int part = 0; part < kWarps; ++part) {
      sum += parts[part * kGroup * kDim + i];
    }
    sum /= totals[i / kDim];
    work.out[to + i] = sum;
    if (work.half != nullptr) {
      work.half[to + i] = __float2bfloat16_rn(sum);
    }
  }
}

int GroupHeld(const AttentionShape& shape) {
  const std::int64_t group = shape.heads / shape.kv_heads;
  return group <= 1 ? 1 : group <= 2 ? 2 : group <= 4 ? 4 : 8;
}

template <int kDim, int kGroup>
void Start(Work work, std::int64_t rows, bool early, const kernels::Context& context) {
  work.held = SlotsHeld(work.slots, kGroup);
  const kernels::cuda::Grid grid{.blocks = work.kv_heads,
                                 .threads = kThreads,
                                 .shared = static_cast<int>(SharedBytes(work.slots, kGroup, kDim)),
                                 .early = early,
                                 .blocks_y = static_cast<int>(rows),
                                 .most_shared = static_cast<int>(MostShared(context))};
  if (work.cos == nullptr) {
    kernels::cuda::Launch("short attention", context, grid, &ShortKernel<kDim, kGroup, false>,
                          work);
  } else {
    kernels::cuda::Launch("short attention", context, grid, &ShortKernel<kDim, kGroup, true>, work);
  }
}

template <int kDim>
void StartOf(int group, const Work& work, std::int64_t rows, bool early,
             const kernels::Context& context) {
  switch (group) {
    case 1:
      return Start<kDim, 1>(work, rows, early, context);
    case 2:
      return Start<kDim, 2>(work, rows, early, context);
    case 4:
      return Start<kDim, 4>(work, rows, early, context);
    default:
      return Start<kDim, 8>(work, rows, early, context);
  }
}

}  // namespace

bool TakesShortAttention(const AttentionShape& shape, const KvLayer& cache, std::int64_t slots,
                         const kernels::Context& context) {
  return cache.k.dtype == DType::kBf16 && (shape.dim == 64 || shape.dim == 128) &&
         shape.heads <= 8 * shape.kv_heads && slots <= 4096 && context.gpu->limits().sm >= 90 &&
         SharedBytes(static_cast<int>(slots), GroupHeld(shape), static_cast<int>(shape.dim)) <=
             MostShared(context);
}

void ShortAttention(const AttentionShape& shape, const RopeTable* table, const RowInfo& info,
                    Rows qkv, const KvLayer& cache, bool cache_at_rest, std::int64_t slots,
                    Rows out, kernels::Bf16* half, const kernels::Context& context) {
  if (qkv.rows == 0) {
    return;
  }
  const Work work{
      .qkv = qkv.data,
      .cos = table == nullptr ? nullptr : static_cast<const float*>(table->cos.data),
      .sin = table == nullptr ? nullptr : static_cast<const float*>(table->sin.data),
      .positions = info.positions,
      .sequences = info.sequences,
      .k = static_cast<__nv_bfloat16*>(cache.k.data),
      .v = static_cast<__nv_bfloat16*>(cache.v.data),
      .out = out.data,
      .half = reinterpret_cast<__nv_bfloat16*>(half),
      .capacity = shape.capacity,
      .heads = static_cast<int>(shape.heads),
      .kv_heads = static_cast<int>(shape.kv_heads),
      .group = static_cast<int>(shape.heads / shape.kv_heads),
      .slots = static_cast<int>(slots),
      .held = 0,
      .scale_log2 = static_cast<float>(static_cast<double>(shape.scale) / std::log(2.0))};
  // A launch without a table waits before it reads anything.
  const bool early = table == nullptr || cache_at_rest;
  if (shape.dim == 64) {
    StartOf<64>(GroupHeld(shape), work, qkv.rows, early, context);
  } else {
    StartOf<128>(GroupHeld(shape), work, qkv.rows, early, context);
  }
}

}  // namespace engine::cuda
