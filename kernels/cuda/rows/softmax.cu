// SPDX-License-Identifier: Apache-2.0
// Long: the two kernels share what a row in registers and a row in two passes mean; one file holds
// the choice between them.
//
// Tried on an H100, percent of the copy ceiling unless said otherwise:
//  - two exchanges (maximum, sum), bf16 kept as float32 exponentials: 97.0 at 16384 x 8192 bf16,
//    88.6 at 4096 x 32768 bf16 (one block per SM), 78 at 1024 x 131072 f32 (clusters of 4)
//  - one exchange of (maximum, sum) per row; bf16 kept as it is and its exponentials, of three
//    instructions, taken twice, which is 32 registers instead of 64; clusters of smaller blocks:
//    99.2, 97.6, 94.1
//  - one row of 128256 f32: clusters of 16 instead of 4, 8.5 us to 4.3 us; inputs fetched into L2
//    before the kernel in front is done: 3.7 us; in one block 24 us
#include <algorithm>

#include "kernels/cuda/rows/row_place.cuh"
#include "kernels/cuda/rows/row_plan.h"
#include "kernels/cuda/rows/softmax.h"
#include "kernels/cuda/rows/softmax_parts.cuh"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/vec.cuh"

namespace kernels::cuda {
namespace {

using namespace softmax;  // NOLINT(google-build-using-namespace): what this file is about

template <class T>
struct Problem {
  std::int64_t rows, cols;
  const T* x;
  T* y;
  std::uint32_t zero = 0;
  bool ahead = false;  // all blocks are up at once
};

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

// The row in registers: kPer groups of V elements per thread (row_place.cuh), f32 with the
// exponentials in their place, bf16 as it is, with the exponentials taken twice.
template <class T, int V, int kPer, RowScope kScope>
__global__ void __launch_bounds__(kScope == RowScope::kWarp ? 4 * kWarp : kMaxThreads)
    InRegisters(Problem<T> p) {
  __shared__ Running scratch[kWarp];
  __shared__ Running slots[kMaxCluster];
  constexpr bool kKeep = std::is_same_v<T, float>;

  LetNextStart();
  RowPlace place;
  if (!FindRow<kScope, kPer>(p.rows, &place)) {
    return;
  }
  const auto [row, threads, thread, begin] = place;
  const int groups = static_cast<int>(p.cols / V);
  const int first = begin + thread;
  const T* x = p.x + row * p.cols;
  T* y = p.y + row * p.cols;
  if (p.ahead && thread == 0) {
    const int mine = min(threads * kPer, groups - begin);
    FetchAhead(x + begin * V, mine * V * static_cast<int>(sizeof(T)));
  }
  WaitForPrevious();

  Pack<T, V> pack[kPer];
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    const int i = first + u * threads;
    if (i < groups) {
      pack[u] = LoadOnce<T, V>(x + i * V);
    } else {
      float nothing[V];
#pragma unroll
      for (int k = 0; k < V; ++k) {
        nothing[k] = MinusInfinity();
      }
      pack[u] = FromFloats<T, V>(nothing);
    }
  }
  Running all{MinusInfinity(), 0};
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    float value[V];
    ToFloats(pack[u], value);
#pragma unroll
    for (int k = 0; k < V; ++k) {
      all.max = fmaxf(all.max, value[k]);
    }
    Hide(pack[u], p.zero);
  }
  all.max = MaxOverWarp(all.max);
  const float warp_max = all.max;
  const float warp_base = Base(warp_max);

  constexpr int kSums = 4;
  float sums[kSums] = {};
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    float value[V];
    ToFloats(pack[u], value);
#pragma unroll
    for (int k = 0; k < V; ++k) {
      value[k] = Exponential<T>(value[k] - warp_base);
      sums[(V < kSums ? u + k : k) % kSums] += value[k];
    }
    if constexpr (kKeep) {
      pack[u] = FromFloats<T, V>(value);
    } else {
      Hide(pack[u], p.zero);
    }
  }
  all.sum = OverWarp((sums[0] + sums[1]) + (sums[2] + sums[3]), Plus{});
  if constexpr (kScope != RowScope::kWarp) {
    all = MergeOverBlock(all, scratch);
  }
  if constexpr (kScope == RowScope::kCluster) {
    WaitForCluster();
    all = MergeOverCluster(all, slots);
  }
  const float base = Base(all.max);
  const float factor = (kKeep ? Rescale(warp_max, all.max) : 1.0F) * (1.0F / all.sum);
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    const int i = first + u * threads;
    if (i < groups) {
      float value[V];
      ToFloats(pack[u], value);
#pragma unroll
      for (int k = 0; k < V; ++k) {
        value[k] = (kKeep ? value[k] : Exponential<T>(value[k] - base)) * factor;
      }
      Store(y + i * V, FromFloats<T, V>(value));
    }
  }
}

// One block per row of any length, which it reads twice.
template <class T, int V>
__global__ void __launch_bounds__(kMaxThreads) TwoPasses(Problem<T> p) {
  __shared__ Running scratch[kWarp];
  constexpr int kLoads = V == 1 ? 8 : 4;
  LetNextStart();
  WaitForPrevious();
  const std::int64_t groups = p.cols / V;
  const std::int64_t step = static_cast<std::int64_t>(blockDim.x) * kLoads;
  const T* x = p.x + blockIdx.x * p.cols;
  T* y = p.y + blockIdx.x * p.cols;
  Running mine{MinusInfinity(), 0};
  for (std::int64_t tile = threadIdx.x; tile < groups; tile += step) {
    Pack<T, V> pack[kLoads];
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      pack[u] = i < groups ? Load<T, V>(x + i * V) : Pack<T, V>{};
    }
    float max = mine.max;
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const bool inside = tile + u * blockDim.x < groups;
      float value[V];
      ToFloats(pack[u], value);
#pragma unroll
      for (int k = 0; k < V; ++k) {
        max = inside ? fmaxf(max, value[k]) : max;
      }
      Forget(pack[u]);
    }
    mine = {max, mine.sum * Rescale(mine.max, max)};
    const float base = Base(max);
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      if (tile + u * blockDim.x < groups) {
        float value[V];
        ToFloats(pack[u], value);
#pragma unroll
        for (int k = 0; k < V; ++k) {
          mine.sum += Exponential<T>(value[k] - base);
        }
      }
    }
  }
  const Running all = MergeOverBlock(MergeOverWarp(mine), scratch);
  const float base = Base(all.max);
  const float factor = 1.0F / all.sum;
  for (std::int64_t tile = threadIdx.x; tile < groups; tile += step) {
    Pack<T, V> pack[kLoads];
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      pack[u] = i < groups ? Load<T, V>(x + i * V) : Pack<T, V>{};
    }
#pragma unroll
    for (int u = 0; u < kLoads; ++u) {
      const std::int64_t i = tile + u * blockDim.x;
      if (i < groups) {
        float value[V];
        ToFloats(pack[u], value);
#pragma unroll
        for (int k = 0; k < V; ++k) {
          value[k] = Exponential<T>(value[k] - base) * factor;
        }
        Store(y + i * V, FromFloats<T, V>(value));
      }
    }
  }
}

template <class T, int V, RowScope kScope>
void LaunchInRegisters(const Context& context, const Grid& grid, int per, const Problem<T>& p) {
  constexpr std::string_view kName = "softmax/impl:vector";
  switch (per) {
    case 1:
      return Launch(kName, context, grid, &InRegisters<T, V, 1, kScope>, p);
    case 2:
      return Launch(kName, context, grid, &InRegisters<T, V, 2, kScope>, p);
    case 4:
      return Launch(kName, context, grid, &InRegisters<T, V, 4, kScope>, p);
    default:
      return Launch(kName, context, grid, &InRegisters<T, V, 8, kScope>, p);
  }
}

template <class T, int V>
void TwoPassesEach(std::string_view name, const Problem<T>& p, const Context& context) {
  const std::int64_t wanted = CeilDiv(CeilDiv(p.cols / V, 4), kWarp) * kWarp;
  const Grid grid{.blocks = p.rows,
                  .threads = static_cast<int>(std::min<std::int64_t>(wanted, kMaxThreads)),
                  .early = true};
  Launch(name, context, grid, &TwoPasses<T, V>, p);
}

template <class T, int V>
void Dispatch(Problem<T> p, const Context& context) {
  constexpr std::int64_t kShortGroups = sizeof(T) == 4 ? 512 : 1024;
  const RowPlan plan = PlanRows(p.rows, p.cols / V, context.gpu->limits(), kShortGroups);
  Grid grid{.blocks = p.rows, .threads = plan.threads, .cluster = plan.cluster, .early = true};
  if (plan.scope == RowScope::kTwoPasses || (V == 1 && plan.scope == RowScope::kCluster)) {
    return TwoPassesEach<T, V>("softmax/impl:vector", p, context);
  }
  switch (plan.scope) {
    case RowScope::kWarp:
      grid.blocks = CeilDiv(p.rows, plan.rows_per_block);
      p.ahead = IsOneWave(grid, context);
      return LaunchInRegisters<T, V, RowScope::kWarp>(context, grid, plan.per, p);
    case RowScope::kCluster:
      grid.blocks = p.rows * plan.cluster;
      p.ahead = IsOneWave(grid, context);
      if constexpr (V > 1) {
        LaunchInRegisters<T, V, RowScope::kCluster>(context, grid, plan.per, p);
      }
      return;
    default:
      p.ahead = IsOneWave(grid, context);
      return LaunchInRegisters<T, V, RowScope::kBlock>(context, grid, plan.per, p);
  }
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
  if (args.shape.rows == 0 || LaunchSoftmaxGrid(args, context)) {
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
