// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gpu.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/reduce.cuh"
#include "kernels/cuda/softmax.h"
#include "kernels/cuda/vec.cuh"

namespace kernels::cuda {
namespace {

template <class T>
struct Problem {
  std::int64_t rows, cols;
  const T* x;
  T* y;
};

__device__ __forceinline__ float MinusInfinity() {
  return __int_as_float(static_cast<int>(0xff800000U));
}

// One thread per row: what the formula says, and nothing else.
template <class T>
__global__ void ReferenceKernel(Problem<T> p) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= p.rows) {
    return;
  }
  const T* x = p.x + row * p.cols;
  T* y = p.y + row * p.cols;
  double max = static_cast<double>(MinusInfinity());
  for (std::int64_t i = 0; i < p.cols; ++i) {
    max = fmax(max, static_cast<double>(ToFloat(x[i])));
  }
  double sum = 0;
  for (std::int64_t i = 0; i < p.cols; ++i) {
    sum += exp(static_cast<double>(ToFloat(x[i])) - max);
  }
  for (std::int64_t i = 0; i < p.cols; ++i) {
    const double e = exp(static_cast<double>(ToFloat(x[i])) - max);
    y[i] = FromFloat<T>(static_cast<float>(e / sum));
  }
}

enum class Scope { kWarp, kBlock, kCluster };

// The row as float32 in registers: kPer groups of V elements per thread, exponentials in their
// place. A block has blockDim / 32 rows (kWarp), one (kBlock) or the part of one that its rank in
// the cluster says (kCluster).
template <class T, int V, int kPer, Scope kScope>
__global__ void __launch_bounds__(kMaxThreads) InRegisters(Problem<T> p) {
  __shared__ float scratch[2][kWarp];
  __shared__ float slots[2][kMaxCluster];

  const int threads = kScope == Scope::kWarp ? kWarp : static_cast<int>(blockDim.x);
  std::int64_t row = blockIdx.x;
  int first = static_cast<int>(threadIdx.x) % threads;
  if constexpr (kScope == Scope::kWarp) {
    row = row * (blockDim.x / kWarp) + threadIdx.x / kWarp;
    if (row >= p.rows) {
      return;
    }
  }
  if constexpr (kScope == Scope::kCluster) {
    ArriveAtCluster();
#if __CUDA_ARCH__ >= 900
    const auto cluster = cooperative_groups::this_cluster();
    row /= cluster.num_blocks();
    first += static_cast<int>(cluster.block_rank()) * threads * kPer;
#endif
  }
  const int groups = static_cast<int>(p.cols / V);
  const T* x = p.x + row * p.cols;
  T* y = p.y + row * p.cols;

  Pack<T, V> raw[kPer];
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    const int i = first + u * threads;
    if (i < groups) {
      raw[u] = LoadOnce<T, V>(x + i * V);
    }
  }
  float value[kPer][V];
  float max = MinusInfinity();
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    if (first + u * threads < groups) {
      ToFloats(raw[u], value[u]);
    } else {
#pragma unroll
      for (int k = 0; k < V; ++k) {
        value[u][k] = MinusInfinity();
      }
    }
#pragma unroll
    for (int k = 0; k < V; ++k) {
      max = fmaxf(max, value[u][k]);
    }
  }
  if constexpr (kScope == Scope::kWarp) {
    max = OverWarp(max, Larger{});
  } else {
    max = OverBlock(max, MinusInfinity(), Larger{}, scratch[0]);
  }
  if constexpr (kScope == Scope::kCluster) {
    WaitForCluster();
    max = OverCluster(max, Larger{}, slots[0]);
  }

  constexpr int kSums = 4;
  float sums[kSums] = {};
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
#pragma unroll
    for (int k = 0; k < V; ++k) {
      value[u][k] = expf(value[u][k] - max);
      sums[(V < kSums ? u + k : k) % kSums] += value[u][k];
    }
  }
  float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if constexpr (kScope == Scope::kWarp) {
    sum = OverWarp(sum, Plus{});
  } else {
    sum = OverBlock(sum, 0.0F, Plus{}, scratch[1]);
  }
  if constexpr (kScope == Scope::kCluster) {
    sum = OverCluster(sum, Plus{}, slots[1]);
  }
  const float inverse = 1.0F / sum;
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    const int i = first + u * threads;
    if (i < groups) {
#pragma unroll
      for (int k = 0; k < V; ++k) {
        value[u][k] *= inverse;
      }
      Store(y + i * V, FromFloats<T, V>(value[u]));
    }
  }
}

// A running maximum and the sum of exponentials relative to it (Milakov, Gimelshein 2018).
struct Running {
  float max, sum;
};

// e^(a - b), 1 where both are -inf.
__device__ __forceinline__ float Ratio(float a, float b) { return a == b ? 1.0F : expf(a - b); }

struct Merge {
  __device__ __forceinline__ Running operator()(const Running& a, const Running& b) const {
    const float max = fmaxf(a.max, b.max);
    return {max, a.sum * Ratio(a.max, max) + b.sum * Ratio(b.max, max)};
  }
};

__device__ __forceinline__ Running MergeOverBlock(Running mine, Running (&scratch)[kWarp]) {
#pragma unroll
  for (int apart = kWarp / 2; apart > 0; apart /= 2) {
    const Running other{__shfl_xor_sync(0xffffffffU, mine.max, apart),
                        __shfl_xor_sync(0xffffffffU, mine.sum, apart)};
    mine = Merge{}(mine, other);
  }
  if (threadIdx.x % kWarp == 0) {
    scratch[threadIdx.x / kWarp] = mine;
  }
  __syncthreads();
  Running all = scratch[0];
  for (unsigned warp = 1; warp < blockDim.x / kWarp; ++warp) {
    all = Merge{}(all, scratch[warp]);
  }
  return all;
}

// One block per row of any length, which it reads twice.
template <class T, int V>
__global__ void __launch_bounds__(kMaxThreads) TwoPasses(Problem<T> p) {
  __shared__ Running scratch[kWarp];
  constexpr int kLoads = V == 1 ? 8 : 4;
  const std::int64_t groups = p.cols / V;
  const std::int64_t step = static_cast<std::int64_t>(blockDim.x) * kLoads;
  const T* x = p.x + blockIdx.x * p.cols;
  T* y = p.y + blockIdx.x * p.cols;
  Running mine{MinusInfinity(), 0};
  for (std::int64_t tile = threadIdx.x; tile < groups; tile += step) {
    Pack<T, V> raw[kLoads];
    float max = mine.max;
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      raw[u] = i < groups ? Load<T, V>(x + i * V) : Pack<T, V>{};
      float value[V];
      ToFloats(raw[u], value);
#pragma unroll
      for (int k = 0; k < V; ++k) {
        max = i < groups ? fmaxf(max, value[k]) : max;
      }
      Forget(raw[u]);
    }
    mine.sum *= Ratio(mine.max, max);
    mine.max = max;
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      if (tile + u * blockDim.x < groups) {
        float value[V];
        ToFloats(raw[u], value);
#pragma unroll
        for (int k = 0; k < V; ++k) {
          mine.sum += expf(value[k] - max);
        }
      }
    }
  }
  const Running all = MergeOverBlock(mine, scratch);
  const float inverse = 1.0F / all.sum;
  for (std::int64_t tile = threadIdx.x; tile < groups; tile += step) {
    Pack<T, V> raw[kLoads];
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      raw[u] = i < groups ? Load<T, V>(x + i * V) : Pack<T, V>{};
    }
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      if (i < groups) {
        float value[V];
        ToFloats(raw[u], value);
#pragma unroll
        for (int k = 0; k < V; ++k) {
          value[k] = expf(value[k] - all.max) * inverse;
        }
        Store(y + i * V, FromFloats<T, V>(value));
      }
    }
  }
}

template <class T, int V, Scope kScope>
void LaunchInRegisters(const Context& context, const Grid& grid, int per, const Problem<T>& p) {
  constexpr std::string_view kName = "softmax/impl:vector";
  constexpr int kMostPer = 32 / V < 8 ? 32 / V : 8;
  switch (per) {
    case 1:
      return Launch(kName, context, grid, &InRegisters<T, V, 1, kScope>, p);
    case 2:
      return Launch(kName, context, grid, &InRegisters<T, V, 2, kScope>, p);
    case 4:
      return Launch(kName, context, grid, &InRegisters<T, V, 4, kScope>, p);
    default:
      return Launch(kName, context, grid, &InRegisters<T, V, kMostPer, kScope>, p);
  }
}

template <class T, int V>
void TwoPassesEach(std::string_view name, const Problem<T>& p, const Context& context) {
  const std::int64_t wanted = CeilDiv(CeilDiv(p.cols / V, 4), kWarp) * kWarp;
  const int threads = static_cast<int>(wanted < kMaxThreads ? wanted : kMaxThreads);
  Launch(name, context, {p.rows, threads}, &TwoPasses<T, V>, p);
}

// Threads and groups per thread as for rmsnorm (norm.cuh), with at most 32 values per thread.
template <class T, int V>
void Dispatch(const Problem<T>& p, const Context& context) {
  constexpr int kMostPer = 32 / V < 8 ? 32 / V : 8;
  constexpr int kRowsPerBlock = 4;
  const GpuLimits& limits = context.gpu->limits();
  const std::int64_t groups = p.cols / V;
  const bool few_rows = p.rows <= 2 * limits.multiprocessors;
  const auto threads_for = [](std::int64_t of, int per) {
    return static_cast<int>(CeilDiv(CeilDiv(of, per), kWarp)) * kWarp;
  };
  if (groups <= (few_rows ? kWarp : kWarp * kMostPer)) {
    const int per = groups <= kWarp ? 1 : groups <= 2 * kWarp ? 2 : groups <= 4 * kWarp ? 4 : 8;
    const int rows = few_rows ? 1 : kRowsPerBlock;
    return LaunchInRegisters<T, V, Scope::kWarp>(context, {CeilDiv(p.rows, rows), rows * kWarp},
                                                 per, p);
  }
  if (groups <= kMaxThreads * kMostPer) {
    int per = few_rows ? 1 : groups <= 2048 ? 4 : kMostPer;
    while (groups > static_cast<std::int64_t>(kMaxThreads) * per) {
      per *= 2;
    }
    return LaunchInRegisters<T, V, Scope::kBlock>(context, {p.rows, threads_for(groups, per)}, per,
                                                  p);
  }
  if constexpr (V > 1) {
    for (int blocks = 2; limits.sm >= 90 && blocks <= kMaxCluster; blocks *= 2) {
      if (groups <= static_cast<std::int64_t>(blocks) * kMaxThreads * kMostPer) {
        return Launch("softmax/impl:vector", context,
                      {p.rows * blocks, threads_for(CeilDiv(groups, blocks), kMostPer), blocks},
                      &InRegisters<T, V, kMostPer, Scope::kCluster>, p);
      }
    }
  }
  TwoPassesEach<T, V>("softmax/impl:vector", p, context);
}

template <class T>
Problem<T> ProblemOf(const SoftmaxArgs& args) {
  return {args.shape.rows, args.shape.cols, static_cast<const T*>(args.x.data),
          static_cast<T*>(args.y.data)};
}

template <class T>
bool InGroups(const Problem<T>& p) {
  return p.cols % kVec<T> == 0 && Aligned({p.x, p.y});
}

}  // namespace

void SoftmaxReference(const SoftmaxArgs& args, const Context& context) {
  constexpr int kThreads = 128;
  if (args.shape.rows == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    Launch("softmax/impl:reference", context, {CeilDiv(args.shape.rows, kThreads), kThreads},
           &ReferenceKernel<T>, ProblemOf<T>(args));
  });
}

void SoftmaxVector(const SoftmaxArgs& args, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const auto p = ProblemOf<T>(args);
    InGroups(p) ? Dispatch<T, kVec<T>>(p, context) : Dispatch<T, 1>(p, context);
  });
}

void SoftmaxOnline(const SoftmaxArgs& args, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const auto p = ProblemOf<T>(args);
    InGroups(p) ? TwoPassesEach<T, kVec<T>>("softmax/impl:online", p, context)
                : TwoPassesEach<T, 1>("softmax/impl:online", p, context);
  });
}

}  // namespace kernels::cuda
