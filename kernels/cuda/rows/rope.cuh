// SPDX-License-Identifier: Apache-2.0
// rope.cuh: the kernel of rope and rope_append
//
// A thread has one group of V columns of the lower half and its partner in the upper half, for
// kHeads heads of a token, which share the group's cosines and sines. The data is asked for before
// the position is known.
//
// Tried on an H100, percent of the copy ceiling for rope and rope_append of 16384 tokens, 32 / 8
// heads x 128, bf16: 4 heads per thread 92.3 and 97.3, 2 heads 98.2 and 96.5. Small calls take 1.
#pragma once

#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/vec.cuh"

namespace kernels::cuda::rope {

inline constexpr int kThreads = 256;

// x has heads + 2 kv_heads heads per token. For rope alone kv_heads is 0 and slots, k and v are
// null.
template <class T, class Cache>
struct Problem {
  std::int64_t tokens, heads, kv_heads, half;
  std::int64_t table_rows, cache_slots;
  const T* x;
  const float *cos, *sin;
  const std::int32_t *positions, *slots;
  T* q;
  Cache *k, *v;
  bool ahead = false;  // all blocks are up at once
};

template <int V>
__device__ __forceinline__ void LoadFloats(const float* from, float (&values)[V]) {
  constexpr int kStep = V < 4 ? V : 4;
#pragma unroll
  for (int i = 0; i < V; i += kStep) {
    float part[kStep];
    ToFloats(Load<float, kStep>(from + i), part);
#pragma unroll
    for (int k = 0; k < kStep; ++k) {
      values[i + k] = part[k];
    }
  }
}

template <class To, class From, int V>
__device__ __forceinline__ Pack<To, V> Recast(const Pack<From, V>& pack) {
  if constexpr (std::is_same_v<To, From>) {
    return pack;
  } else {
    float values[V];
    ToFloats(pack, values);
    return FromFloats<To, V>(values);
  }
}

template <class T, class Cache, int V, int kHeads, bool kAppend>
__global__ void __launch_bounds__(kThreads, kAppend ? 3 : 4) RotateKernel(Problem<T, Cache> p) {
  LetNextStart();
  const std::int64_t all_heads = p.heads + (kAppend ? 2 * p.kv_heads : 0);
  const std::int64_t columns = p.half / V;
  const std::int64_t stride = (all_heads + kHeads - 1) / kHeads;  // between a thread's heads
  const std::int64_t unit = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const std::int64_t first_head = unit / columns % stride;
  const std::int64_t token = unit / columns / stride;
  if (token >= p.tokens) {
    return;
  }
  const std::int64_t column = unit % columns * V;
  const std::int64_t dim = 2 * p.half;
  if (kHeads == 1 && p.ahead) {
    // Whole heads, one after the other.
    if (threadIdx.x == 0) {
      const std::int64_t end = min((unit + kThreads - 1) / columns + 1, p.tokens * all_heads);
      const std::int64_t heads = end - unit / columns;
      FetchAhead(p.x + unit / columns * dim, heads * dim * static_cast<std::int64_t>(sizeof(T)));
    }
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p.positions + token));
    if (kAppend) {
      asm volatile("prefetch.global.L2 [%0];" ::"l"(p.slots + token));
    }
  }
  WaitForPrevious();
  const std::int64_t position = p.positions[token];
  const std::int64_t slot = kAppend ? p.slots[token] : 0;

  const T* x = p.x + (token * all_heads + first_head) * dim + column;
  Pack<T, V> low[kHeads], high[kHeads];
#pragma unroll
  for (int k = 0; k < kHeads; ++k) {
    const std::int64_t head = first_head + k * stride;
    if (head < all_heads) {
      low[k] = LoadOnce<T, V>(x + k * stride * dim);
      high[k] = LoadOnce<T, V>(x + k * stride * dim + p.half);
    }
  }
  const bool valid =
      position >= 0 && position < p.table_rows && (!kAppend || (slot >= 0 && slot < p.cache_slots));
  float cos[V], sin[V];
#pragma unroll
  for (int i = 0; i < V; ++i) {
    cos[i] = sin[i] = __int_as_float(0x7fffffff);
  }
  if (valid) {
    LoadFloats(p.cos + position * p.half + column, cos);
    LoadFloats(p.sin + position * p.half + column, sin);
  }
#pragma unroll
  for (int k = 0; k < kHeads; ++k) {
    const std::int64_t head = first_head + k * stride;
    if (head >= all_heads) {
      break;
    }
    float a[V], b[V];
    ToFloats(low[k], a);
    ToFloats(high[k], b);
    const bool is_v = kAppend && head >= p.heads + p.kv_heads;
#pragma unroll
    for (int i = 0; i < V; ++i) {
      const float first = fmaf(-b[i], sin[i], a[i] * cos[i]);
      b[i] = fmaf(a[i], sin[i], b[i] * cos[i]);
      a[i] = first;
    }
    if (!kAppend || head < p.heads) {
      T* q = p.q + (token * p.heads + head) * dim + column;
      Store(q, FromFloats<T, V>(a));
      Store(q + p.half, FromFloats<T, V>(b));
    } else if (valid) {
      const std::int64_t kv_head = head - p.heads - (is_v ? p.kv_heads : 0);
      Cache* to = (is_v ? p.v : p.k) + (slot * p.kv_heads + kv_head) * dim + column;
      Store(to, is_v ? Recast<Cache>(low[k]) : FromFloats<Cache, V>(a));
      Store(to + p.half, is_v ? Recast<Cache>(high[k]) : FromFloats<Cache, V>(b));
    }
  }
}

template <class T, class Cache, int V, bool kAppend>
void LaunchEach(std::string_view name, Problem<T, Cache> p, const Context& context) {
  constexpr int kMany = 2;
  const GpuLimits& limits = context.gpu->limits();
  const std::int64_t all_heads = p.heads + 2 * p.kv_heads;
  const auto units = [&](int heads) { return p.tokens * CeilDiv(all_heads, heads) * (p.half / V); };
  const std::int64_t device =
      static_cast<std::int64_t>(limits.multiprocessors) * limits.threads_per_multiprocessor;
  const auto launch = [&](auto kernel, int heads) {
    const Grid grid{.blocks = CeilDiv(units(heads), kThreads), .threads = kThreads, .early = true};
    p.ahead = IsOneWave(grid, context);
    Launch(name, context, grid, kernel, p);
  };
  if (units(kMany) >= device) {
    launch(&RotateKernel<T, Cache, V, kMany, kAppend>, kMany);
  } else {
    launch(&RotateKernel<T, Cache, V, 1, kAppend>, 1);
  }
}

template <class T, class Cache, bool kAppend>
void Run(std::string_view name, const Problem<T, Cache>& p, const Context& context) {
  if (p.tokens == 0 || p.heads + p.kv_heads == 0) {
    return;
  }
  if (p.half % kVec<T> == 0 && Aligned({p.x, p.cos, p.sin, p.q, p.k, p.v})) {
    LaunchEach<T, Cache, kVec<T>, kAppend>(name, p, context);
  } else {
    LaunchEach<T, Cache, 1, kAppend>(name, p, context);
  }
}

// One thread per pair: what the formulas say, and nothing else.
template <class T, class Cache, bool kAppend>
__global__ void ReferenceKernel(Problem<T, Cache> p) {
  const std::int64_t all_heads = p.heads + (kAppend ? 2 * p.kv_heads : 0);
  const std::int64_t pair = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t i = pair % p.half;
  const std::int64_t head = pair / p.half % all_heads;
  const std::int64_t token = pair / p.half / all_heads;
  if (token >= p.tokens) {
    return;
  }
  const std::int64_t position = p.positions[token];
  const std::int64_t slot = kAppend ? p.slots[token] : 0;
  const bool valid =
      position >= 0 && position < p.table_rows && (!kAppend || (slot >= 0 && slot < p.cache_slots));
  const T* x = p.x + (token * all_heads + head) * 2 * p.half + i;
  const auto a = static_cast<double>(ToFloat(x[0]));
  const auto b = static_cast<double>(ToFloat(x[p.half]));
  const double nan = static_cast<double>(__int_as_float(0x7fffffff));
  const double cos = valid ? static_cast<double>(p.cos[position * p.half + i]) : nan;
  const double sin = valid ? static_cast<double>(p.sin[position * p.half + i]) : nan;
  const auto first = static_cast<float>(a * cos - b * sin);
  const auto second = static_cast<float>(b * cos + a * sin);
  if (head < p.heads) {
    T* q = p.q + (token * p.heads + head) * 2 * p.half + i;
    q[0] = FromFloat<T>(first);
    q[p.half] = FromFloat<T>(second);
  } else if (valid) {
    const bool is_v = head >= p.heads + p.kv_heads;
    const std::int64_t kv_head = (head - p.heads) % p.kv_heads;
    Cache* to = (is_v ? p.v : p.k) + (slot * p.kv_heads + kv_head) * 2 * p.half + i;
    to[0] = FromFloat<Cache>(is_v ? static_cast<float>(a) : first);
    to[p.half] = FromFloat<Cache>(is_v ? static_cast<float>(b) : second);
  }
}

template <class T, class Cache, bool kAppend>
void RunReference(std::string_view name, const Problem<T, Cache>& p, const Context& context) {
  const std::int64_t pairs = p.tokens * (p.heads + 2 * p.kv_heads) * p.half;
  if (pairs > 0) {
    Launch(name, context, {CeilDiv(pairs, kThreads), kThreads}, &ReferenceKernel<T, Cache, kAppend>,
           p);
  }
}

}  // namespace kernels::cuda::rope
