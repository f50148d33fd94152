// SPDX-License-Identifier: Apache-2.0
// Long: both kernels take their loads, their sums and their template parameters from one Problem.
//
// norm.cuh: the kernels of rmsnorm and residual_rmsnorm, which differ in what they load and store
//
// A row is read once and kept in registers, in its own dtype, by a warp, a block or a cluster of
// blocks; longer rows are read twice. Squares are summed in float32: kSums chains per thread, a
// butterfly over the warp, one over the warps, then the blocks in order. Where that overflows, the
// row is summed again in float64 (a NaN takes this way too and stays one).
//
// Tried on an H100, 16384 x 8192 bf16, percent of the copy ceiling unless said otherwise:
//  - bf16 as 2-byte elements: the compiler kept each in a register of its own and spilled; 33
//  - as words, converted twice rather than kept as float32 (Forget): 97.6
//  - weights loaded after the reduction where there are many rows, 4 loads per thread: 98.9, and 98
//    from 88 at 8192 x 4096
//  - one row of 2048, launches brought up early: 1.83 us to 1.50 us; inputs fetched into L2 before
//    the kernel in front is done: 1.08 us (an empty kernel: 1.00 us)
#pragma once

#include "kernels/cuda/rows/row_place.cuh"
#include "kernels/cuda/rows/row_plan.h"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/reduce.cuh"
#include "kernels/cuda/runtime/vec.cuh"

namespace kernels::cuda::norm {

// residual and sum are null for rmsnorm.
template <class T>
struct Problem {
  std::int64_t rows, cols;
  float inverse_cols, eps;
  const T *x, *residual, *weight;
  T *sum, *y;
  bool ahead = false;  // all blocks are up at once
};

inline constexpr int kSums = 4;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr int kResidualLoads = 2;
#else
inline constexpr int kResidualLoads = 4;
#endif
inline constexpr float kLargestSum = 0x1p127F;

// 1 / sqrt(sum / cols + eps), within 2 u. The reciprocal root is refined by one Newton step.
__device__ __forceinline__ float InverseRms(float sum, float inverse_cols, float eps) {
  const float mean = fmaf(sum, inverse_cols, eps);
  const float r = rsqrtf(mean);
  return fmaf(0.5F * r, fmaf(-(mean * r), r, 1.0F), r);
}

__device__ __forceinline__ float InverseRmsWide(double sum, std::int64_t cols, float eps) {
  return static_cast<float>(1.0 / sqrt(sum / static_cast<double>(cols) + static_cast<double>(eps)));
}

// Rounded to T.
template <class T, int V>
__device__ __forceinline__ Pack<T, V> Add(const Pack<T, V>& x, const Pack<T, V>& residual) {
  float a[V], b[V];
  ToFloats(x, a);
  ToFloats(residual, b);
#pragma unroll
  for (int i = 0; i < V; ++i) {
    a[i] += b[i];
  }
  return FromFloats<T, V>(a);
}

template <class T, int V>
__device__ __forceinline__ void AddSquares(const Pack<T, V>& pack, int group,
                                           float (&sums)[kSums]) {
  float value[V];
  ToFloats(pack, value);
#pragma unroll
  for (int i = 0; i < V; ++i) {
    float& sum = sums[(V < kSums ? group + i : i) % kSums];
    sum = fmaf(value[i], value[i], sum);
  }
}

template <class T, int V>
__device__ __forceinline__ double AddSquaresWide(const Pack<T, V>& pack, double sum) {
  float values[V];
  ToFloats(pack, values);
#pragma unroll
  for (int i = 0; i < V; ++i) {
    const double value = static_cast<double>(values[i]);
    sum += value * value;
  }
  return sum;
}

template <class T, int V>
__device__ __forceinline__ Pack<T, V> Scale(const Pack<T, V>& x, const Pack<T, V>& weight,
                                            float inverse) {
  float a[V], w[V];
  ToFloats(x, a);
  ToFloats(weight, w);
#pragma unroll
  for (int i = 0; i < V; ++i) {
    a[i] = a[i] * inverse * w[i];
  }
  return FromFloats<T, V>(a);
}

// Results, as they are best stored (StoreToLeave).
template <RowScope kScope, int kPer, class T, int V>
__device__ __forceinline__ void Put(T* y, const Pack<T, V>& pack) {
  if constexpr (kScope == RowScope::kBlock && kPer == 8) {
    StoreToLeave(y, pack);
  } else {
    Store(y, pack);
  }
}

// kPer groups of V elements per thread (row_place.cuh).
template <class T, int V, int kPer, RowScope kScope, bool kResidual>
__global__ void __launch_bounds__(kScope == RowScope::kWarp ? 4 * kWarp : kMaxThreads)
    InRegisters(Problem<T> p) {
  __shared__ float scratch[kWarp];
  __shared__ double wide_scratch[kWarp];
  __shared__ float slots[kMaxCluster];
  __shared__ double wide_slots[kMaxCluster];

  LetNextStart();
  RowPlace place;
  if (!FindRow<kScope, kPer>(p.rows, &place)) {
    return;
  }
  const auto [row, threads, thread, begin] = place;
  const int groups = static_cast<int>(p.cols / V);
  const std::int64_t at = row * p.cols;
  const int first = begin + thread;
  if (p.ahead && thread == 0) {
    const int mine = min(threads * kPer, groups - begin);
    const int bytes = mine * V * static_cast<int>(sizeof(T));
    FetchAhead(p.x + at + begin * V, bytes);
    if (kResidual) {
      FetchAhead(p.residual + at + begin * V, bytes);
    }
    if (row == 0) {
      FetchAhead(p.weight + begin * V, bytes);
    }
  }
  WaitForPrevious();

  Pack<T, V> x[kPer];
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    const int i = first + u * threads;
    x[u] = i < groups ? LoadOnce<T, V>(p.x + at + i * V) : Pack<T, V>{};
  }
  // Asked for with x where registers allow, ahead of the stores of sums, so that it is there after
  // the reduction. With more registers taken there are many rows, and it is in the first-level
  // cache.
  constexpr bool kWeightFirst = kPer <= 2 || V == 1;
  Pack<T, V> weight[kWeightFirst ? kPer : 1];
  if constexpr (kWeightFirst) {
#pragma unroll
    for (int u = 0; u < kPer; ++u) {
      const int i = first + u * threads;
      weight[u] = i < groups ? Load<T, V>(p.weight + i * V) : Pack<T, V>{};
    }
  }

  if constexpr (kResidual) {
    constexpr int kAtOnce = kPer <= 4 ? kPer : kResidualLoads;  // both rows whole would not fit
#pragma unroll
    for (int half = 0; half < kPer; half += kAtOnce) {
      Pack<T, V> residual[kAtOnce];
#pragma unroll
      for (int u = 0; u < kAtOnce; ++u) {
        const int i = first + (half + u) * threads;
        residual[u] = i < groups ? LoadOnce<T, V>(p.residual + at + i * V) : Pack<T, V>{};
      }
#pragma unroll
      for (int u = 0; u < kAtOnce; ++u) {
        const int i = first + (half + u) * threads;
        x[half + u] = Add(x[half + u], residual[u]);
        if (i < groups) {
          Store(p.sum + at + i * V, x[half + u]);
        }
      }
    }
  }

  float sums[kSums] = {};
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    AddSquares(x[u], u, sums);
    Forget(x[u]);
  }
  float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if constexpr (kScope == RowScope::kWarp) {
    sum = OverWarp(sum, Plus{});
  } else {
    sum = OverBlock(sum, 0.0F, Plus{}, scratch);
  }
  if constexpr (kScope == RowScope::kCluster) {
    WaitForCluster();
    sum = OverCluster(sum, Plus{}, slots);
  }
  float inverse;
  if (sum <= kLargestSum) {
    inverse = InverseRms(sum, p.inverse_cols, p.eps);
  } else {
    double wide = 0;
#pragma unroll 1
    for (int u = 0; u < kPer; ++u) {
      const int i = first + u * threads;
      if (i < groups) {
        // Read again: indexing registers by a loop variable would put them all into memory.
        wide = AddSquaresWide(Load<T, V>((kResidual ? p.sum : p.x) + at + i * V), wide);
      }
    }
    if constexpr (kScope == RowScope::kWarp) {
      wide = OverWarp(wide, Plus{});
    } else {
      wide = OverBlock(wide, 0.0, Plus{}, wide_scratch);
    }
    if constexpr (kScope == RowScope::kCluster) {
      wide = OverCluster(wide, Plus{}, wide_slots);
    }
    inverse = InverseRmsWide(wide, p.cols, p.eps);
  }
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    const int i = first + u * threads;
    if (i < groups) {
      if constexpr (kWeightFirst) {
        Put<kScope, kPer>(p.y + at + i * V, Scale(x[u], weight[u], inverse));
      } else {
        Put<kScope, kPer>(p.y + at + i * V, Scale(x[u], Load<T, V>(p.weight + i * V), inverse));
      }
    }
  }
}

// One block per row of any length. What the second pass reads, the same thread has read or written
// in the first.
template <class T, int V, bool kResidual>
__global__ void __launch_bounds__(kMaxThreads) TwoPasses(Problem<T> p) {
  __shared__ float scratch[kWarp];
  __shared__ double wide_scratch[kWarp];
  constexpr int kLoads = V == 1 ? 8 : 4;
  LetNextStart();
  WaitForPrevious();
  const std::int64_t groups = p.cols / V;
  const std::int64_t at = blockIdx.x * p.cols;
  const std::int64_t step = static_cast<std::int64_t>(blockDim.x) * kLoads;
  const T* again = kResidual ? p.sum : p.x;

  float sums[kSums] = {};
  for (std::int64_t tile = threadIdx.x; tile < groups; tile += step) {
    Pack<T, V> x[kLoads];
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      x[u] = i < groups ? Load<T, V>(p.x + at + i * V) : Pack<T, V>{};
    }
    if constexpr (kResidual) {
      Pack<T, V> residual[kLoads];
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        const std::int64_t i = tile + u * blockDim.x;
        residual[u] = i < groups ? LoadOnce<T, V>(p.residual + at + i * V) : Pack<T, V>{};
      }
#pragma unroll
      for (int u = 0; u < kLoads; ++u) {
        const std::int64_t i = tile + u * blockDim.x;
        x[u] = Add(x[u], residual[u]);
        if (i < groups) {
          Store(p.sum + at + i * V, x[u]);
        }
      }
    }
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      AddSquares(x[u], u, sums);
    }
  }
  const float sum = OverBlock((sums[0] + sums[1]) + (sums[2] + sums[3]), 0.0F, Plus{}, scratch);
  float inverse;
  if (sum <= kLargestSum) {
    inverse = InverseRms(sum, p.inverse_cols, p.eps);
  } else {
    double wide = 0;
    for (std::int64_t tile = threadIdx.x; tile < groups; tile += step) {
      for (int u = 0; u < kLoads; ++u) {
        const std::int64_t i = tile + u * blockDim.x;
        if (i < groups) {
          wide = AddSquaresWide(Load<T, V>(again + at + i * V), wide);
        }
      }
    }
    wide = OverBlock(wide, 0.0, Plus{}, wide_scratch);
    inverse = InverseRmsWide(wide, p.cols, p.eps);
  }
  for (std::int64_t tile = threadIdx.x; tile < groups; tile += step) {
    Pack<T, V> x[kLoads];
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      x[u] = i < groups ? Load<T, V>(again + at + i * V) : Pack<T, V>{};
    }
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      if (i < groups) {
        Store(p.y + at + i * V, Scale(x[u], Load<T, V>(p.weight + i * V), inverse));
      }
    }
  }
}

template <class T, int V, RowScope kScope, bool kResidual>
void LaunchInRegisters(std::string_view name, const Context& context, const Grid& grid, int per,
                       const Problem<T>& p) {
  switch (per) {
    case 1:
      return Launch(name, context, grid, &InRegisters<T, V, 1, kScope, kResidual>, p);
    case 2:
      return Launch(name, context, grid, &InRegisters<T, V, 2, kScope, kResidual>, p);
    case 4:
      return Launch(name, context, grid, &InRegisters<T, V, 4, kScope, kResidual>, p);
    default:
      return Launch(name, context, grid, &InRegisters<T, V, 8, kScope, kResidual>, p);
  }
}

template <class T, int V, bool kResidual>
void Dispatch(std::string_view name, Problem<T> p, const Context& context) {
  const RowPlan plan = PlanRows(p.rows, p.cols / V, context.gpu->limits());
  Grid grid{.blocks = p.rows, .threads = plan.threads, .cluster = plan.cluster, .early = true};
  if (plan.scope == RowScope::kTwoPasses || (V == 1 && plan.scope == RowScope::kCluster)) {
    grid.threads = kMaxThreads;
    grid.cluster = 1;
    return Launch(name, context, grid, &TwoPasses<T, V, kResidual>, p);
  }
  switch (plan.scope) {
    case RowScope::kWarp:
      grid.blocks = CeilDiv(p.rows, plan.rows_per_block);
      p.ahead = IsOneWave(grid, context);
      return LaunchInRegisters<T, V, RowScope::kWarp, kResidual>(name, context, grid, plan.per, p);
    case RowScope::kCluster:
      grid.blocks = p.rows * plan.cluster;
      p.ahead = IsOneWave(grid, context);
      if constexpr (V > 1) {
        LaunchInRegisters<T, V, RowScope::kCluster, kResidual>(name, context, grid, plan.per, p);
      }
      return;
    default:
      p.ahead = IsOneWave(grid, context);
      return LaunchInRegisters<T, V, RowScope::kBlock, kResidual>(name, context, grid, plan.per, p);
  }
}

template <class T, bool kResidual>
void Run(std::string_view name, const Problem<T>& p, const Context& context) {
  if (p.rows == 0) {
    return;
  }
  if (p.cols % kVec<T> == 0 && Aligned({p.x, p.residual, p.weight, p.sum, p.y})) {
    Dispatch<T, kVec<T>, kResidual>(name, p, context);
  } else {
    Dispatch<T, 1, kResidual>(name, p, context);
  }
}

}  // namespace kernels::cuda::norm
