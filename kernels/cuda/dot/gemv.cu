// SPDX-License-Identifier: Apache-2.0
// Long: three kernels and the thresholds between them, which were measured against each other.
#include <algorithm>

#include "kernels/cuda/dot/dot_rows.cuh"
#include "kernels/cuda/dot/gemv.h"
#include "kernels/cuda/dot/weights.cuh"
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/element.cuh"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/last_block.cuh"
#include "kernels/cuda/runtime/launch.cuh"

// Tried on an H100, cold, in % of a copy's 3.0 TB/s:
//   a block for every 8 rows, x through the first-level cache (warp_row): 63 at 128256 x 2048
//   persistent blocks, x in shared memory, 8 loads per lane ahead of their use: 100
//   the same with k in four slices (split): 82; pays only where rows are few
//   one row per warp at k = 896, where a row is half of what a warp can have in flight: 83 at
//   151936 x 896; two rows: 98
//   a warp per row again, but all loads of the row in registers before the first is used, blocks of
//   one to four warps, x through the first-level cache, nothing fetched ahead (direct): 104 and 103

namespace kernels::cuda {
namespace {

// One thread per row: what the formula says, and nothing else.
template <class T>
__global__ void ReferenceKernel(const T* weight, const float* x, float* y, std::int64_t n,
                                std::int64_t k) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= n) {
    return;
  }
  double sum = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    sum += static_cast<double>(ToFloat(weight[row * k + i])) * static_cast<double>(x[i]);
  }
  y[row] = static_cast<float>(sum);
}

template <class T, bool kAligned, int kTeam, int kRows>
__global__ void __launch_bounds__(kDotThreads, kAligned ? kDotBlocksPerSm : 1)
    VectorKernel(const T* weight, const float* x, float* y, std::int64_t n, std::int64_t k,
                 int slice_chunks, float* partial, std::uint32_t* counters) {
  extern __shared__ float4 shared[];
  float* const to = gridDim.y == 1 ? y : partial + blockIdx.y * n;
  DotRows<T, kAligned, kTeam, kRows>(weight, x, n, k, slice_chunks, shared,
                                     [to](std::int64_t row, float sum) { to[row] = sum; });
  if (gridDim.y == 1 || !IsLastBlock(counters + blockIdx.x, gridDim.y)) {
    return;
  }
  for (std::int64_t row = blockIdx.x + static_cast<std::int64_t>(threadIdx.x) * gridDim.x; row < n;
       row += static_cast<std::int64_t>(kDotThreads) * gridDim.x) {
    float sum = 0;
    for (unsigned slice = 0; slice < gridDim.y; ++slice) {
      sum += partial[slice * n + row];
    }
    y[row] = sum;
  }
}

template <class T, bool kAligned>
__global__ void __launch_bounds__(256)
    WarpRowKernel(const T* weight, const float* x, float* y, std::int64_t n, std::int64_t k) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * 8 + threadIdx.x / 32;
  if (row >= n) {
    return;
  }
  const T* const at = weight + row * k;
  float sums[kPerLoad<T>] = {};
  for (std::int64_t i = lane * kPerLoad<T>; i < k; i += 4 * kPerChunk<T>) {
    uint4 loaded[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      loaded[u] = LoadWeights<T, kAligned>(at, i + u * kPerChunk<T>, k);
    }
#pragma unroll
    for (int u = 0; u < 4; ++u) {
#pragma unroll
      for (int j = 0; j < kPerLoad<T>; ++j) {
        const std::int64_t element = i + u * kPerChunk<T> + j;
        if (element < k) {
          sums[j] = fmaf(Weight<T>(loaded[u], j), __ldg(x + element), sums[j]);
        }
      }
    }
  }
  const float sum = SumOverLanes(SumOf(sums));
  if (lane == 0) {
    y[row] = sum;
  }
}

// One warp per row of at most kChunks chunks, all of them on their way at once, in blocks of kRows
// rows; x comes through the first-level cache. Sums as dot_rows.cuh makes them: kSums of a lane.
template <class T, int kChunks, int kRows, int kSums>
__global__ void __launch_bounds__(32 * kRows)
    DirectKernel(const T* weight, const float* x, float* y, std::int64_t n, int k, bool ahead) {
  constexpr int kQuads = kPerLoad<T> / 4;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t row =
      static_cast<std::int64_t>(blockIdx.x) * kRows + static_cast<int>(threadIdx.x) / 32;
  const T* const at = weight + min(row, n - 1) * k;
  LetNextStart();
  if (ahead && lane == 0) {
    FetchAhead(at, k * static_cast<std::int64_t>(sizeof(T)));
  }
  WaitForPrevious();
  uint4 weights[kChunks];
#pragma unroll
  for (int u = 0; u < kChunks; ++u) {
    const int from = u * kPerChunk<T> + lane * kPerLoad<T>;
    weights[u] = from < k ? LoadOnce(at + from) : uint4{};
  }
  float sums[kSums] = {};
#pragma unroll
  for (int u = 0; u < kChunks; ++u) {
    const int from = u * kPerChunk<T> + lane * kPerLoad<T>;
#pragma unroll
    for (int q = 0; q < kQuads; ++q) {
      const float4 v = from < k ? reinterpret_cast<const float4*>(x + from)[q] : float4{};
      float* const to = &sums[4 * q % kSums];
      to[0] = fmaf(Weight<T>(weights[u], 4 * q), v.x, to[0]);
      to[1] = fmaf(Weight<T>(weights[u], 4 * q + 1), v.y, to[1]);
      to[2] = fmaf(Weight<T>(weights[u], 4 * q + 2), v.z, to[2]);
      to[3] = fmaf(Weight<T>(weights[u], 4 * q + 3), v.w, to[3]);
    }
  }
  const float sum = SumOverLanes(SumOf(sums));
  if (lane == 0 && row < n) {
    y[row] = sum;
  }
}

template <class T>
DotPlan Plan(const GemvShape& shape, const Context& context, unsigned least_slices) {
  const int multiprocessors = context.gpu->limits().multiprocessors;
  DotPlan plan = PlanDot(shape.n, shape.k, kPerChunk<T>, multiprocessors, least_slices);
  // Weights are not loaded before the kernel ahead is done, so both blocks of an SM are of use from
  // the start: 4.3 us at 2048 x 2048, with one block each 4.6 (direct: 4.0).
  plan.blocks = static_cast<unsigned>(
      std::clamp<std::int64_t>(shape.n, 1, std::int64_t{kDotBlocksPerSm} * multiprocessors));
  return plan;
}

std::size_t Workspace(const GemvShape& shape, const Context& context, unsigned least_slices) {
  std::size_t bytes = 0;
  ForFloatOrBf16(shape.dtype, [&]<class T>(Tag<T>) {
    const unsigned slices = Plan<T>(shape, context, least_slices).slices;
    bytes = slices > 1 ? slices * static_cast<std::size_t>(shape.n) * sizeof(float) : 0;
  });
  return bytes;
}

template <class T, bool kAligned, int kTeam, int kRows>
void LaunchVector(const GemvArgs& args, const Context& context, const DotPlan& plan) {
  cuda::Launch("gemv", context, GridOf(plan), &VectorKernel<T, kAligned, kTeam, kRows>,
               static_cast<const T*>(args.weight.data), static_cast<const float*>(args.x.data),
               static_cast<float*>(args.y.data), args.shape.n, args.shape.k, plan.slice_chunks,
               reinterpret_cast<float*>(context.workspace.data()), context.counters.data());
}

void LaunchPlanned(const GemvArgs& args, const Context& context, unsigned least_slices) {
  if (args.shape.n == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const DotPlan plan = Plan<T>(args.shape, context, least_slices);
    ForTeam(plan, [&]<int kTeam, int kRows>(Teams<kTeam, kRows>) {
      if (IsAligned(static_cast<const T*>(args.weight.data), args.shape.k)) {
        LaunchVector<T, true, kTeam, kRows>(args, context, plan);
      } else {
        LaunchVector<T, false, kTeam, kRows>(args, context, plan);
      }
    });
  });
}

constexpr unsigned kSplitSlices = 4;

void LaunchWarpRow(const GemvArgs& args, const Context& context) {
  const auto blocks = static_cast<unsigned>(CeilDiv(args.shape.n, 8));
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const auto* const weight = static_cast<const T*>(args.weight.data);
    const auto* const x = static_cast<const float*>(args.x.data);
    auto* const y = static_cast<float*>(args.y.data);
    if (IsAligned(weight, args.shape.k)) {
      WarpRowKernel<T, true>
          <<<blocks, 256, 0, context.stream>>>(weight, x, y, args.shape.n, args.shape.k);
    } else {
      WarpRowKernel<T, false>
          <<<blocks, 256, 0, context.stream>>>(weight, x, y, args.shape.n, args.shape.k);
    }
  });
}

constexpr std::int64_t kDirectChunks = 32;
// Up to here all rows are under way at once, and fetching them while the kernel before ends saves
// time: 1.7 us instead of 2.0 at 896 x 896, 4.0 instead of 4.9 at 2048 x 2048. Where there is more,
// it costs: 82.6 instead of 76.6 at 28672 x 4096.
constexpr std::int64_t kDirectAheadBytes = std::int64_t{16} << 20;
constexpr std::int64_t kDirectAgainBytes = std::int64_t{256} << 20;

template <class T>
bool TakesDirect(const GemvArgs& args) {
  return IsAligned(static_cast<const T*>(args.weight.data), args.shape.k) &&
         reinterpret_cast<std::uintptr_t>(args.x.data) % 16 == 0 &&
         CeilDiv(args.shape.k, kPerChunk<T>) <= kDirectChunks;
}

// Where dot_rows.cuh would give a row to one warp too, in sums of the same order. It stays ahead
// where 5 to 8 chunks are all that a warp has in flight: 22.5 us instead of 23.5 at 16384 x 2048;
// not any more at 128256 x 2048, 171.1 instead of 168.4.
template <class T>
bool PrefersDirect(const GemvShape& shape) {
  const std::int64_t chunks = CeilDiv(shape.k, kPerChunk<T>);
  const std::int64_t bytes = shape.n * shape.k * static_cast<std::int64_t>(sizeof(T));
  return chunks <= 4 || chunks > 8 || bytes <= kDirectAheadBytes || bytes >= kDirectAgainBytes;
}

template <class T>
void LaunchDirect(const GemvArgs& args, const Context& context) {
  const std::int64_t n = args.shape.n, k = args.shape.k;
  const bool ahead = n * k * static_cast<std::int64_t>(sizeof(T)) <= kDirectAheadBytes;
  const DotPlan plan = Plan<T>(args.shape, context, 1);
  const std::int64_t chunks = CeilDiv(k, kPerChunk<T>);
  const auto launch = [&](auto kernel, int rows) {
    const Grid grid{.blocks = CeilDiv(n, rows), .threads = 32 * rows, .early = true};
    cuda::Launch("gemv/impl:direct", context, grid, kernel, static_cast<const T*>(args.weight.data),
                 static_cast<const float*>(args.x.data), static_cast<float*>(args.y.data), n,
                 static_cast<int>(k), ahead);
  };
  constexpr int kSums = kPerLoad<T>;
  if (plan.rows == 2) {
    launch(&DirectKernel<T, 4, 4, 4>, 4);
  } else if (chunks <= 1) {
    launch(&DirectKernel<T, 1, 4, kSums>, 4);
  } else if (chunks <= 4) {
    launch(&DirectKernel<T, 4, 2, kSums>, 2);
  } else if (chunks <= 8 && ahead) {
    launch(&DirectKernel<T, 8, 1, kSums>, 1);
  } else if (chunks <= 8) {
    launch(&DirectKernel<T, 8, 2, kSums>, 2);
  } else if (chunks <= 16) {
    launch(&DirectKernel<T, 16, 4, kSums>, 4);
  } else {
    launch(&DirectKernel<T, 32, 4, kSums>, 4);
  }
}

}  // namespace

void GemvReference(const GemvArgs& args, const Context& context) {
  if (args.shape.n == 0) {
    return;
  }
  constexpr unsigned kThreads = 128;
  const auto blocks = static_cast<unsigned>(CeilDiv(args.shape.n, kThreads));
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    ReferenceKernel<T><<<blocks, kThreads, 0, context.stream>>>(
        static_cast<const T*>(args.weight.data), static_cast<const float*>(args.x.data),
        static_cast<float*>(args.y.data), args.shape.n, args.shape.k);
  });
  CheckLaunch("gemv/impl:reference");
}

void GemvVector(const GemvArgs& args, const Context& context) {
  if (args.shape.n == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const DotPlan plan = Plan<T>(args.shape, context, 1);
    if (plan.team == 1 && plan.slices == 1 && TakesDirect<T>(args) &&
        PrefersDirect<T>(args.shape)) {
      LaunchDirect<T>(args, context);
    } else {
      LaunchPlanned(args, context, 1);
    }
  });
  CheckLaunch("gemv/impl:vector");
}

std::size_t GemvVectorWorkspace(const GemvShape& shape, const Context& context) {
  return Workspace(shape, context, 1);
}

void GemvSplit(const GemvArgs& args, const Context& context) {
  LaunchPlanned(args, context, kSplitSlices);
  CheckLaunch("gemv/impl:split");
}

std::size_t GemvSplitWorkspace(const GemvShape& shape, const Context& context) {
  return Workspace(shape, context, kSplitSlices);
}

void GemvWarpRow(const GemvArgs& args, const Context& context) {
  if (args.shape.n == 0) {
    return;
  }
  LaunchWarpRow(args, context);
  CheckLaunch("gemv/impl:warp_row");
}

std::string_view GemvDirectSupports(const GemvShape& shape) {
  const std::int64_t per_chunk = shape.dtype == DType::kF32 ? kPerChunk<float> : kPerChunk<Bf16>;
  return shape.k > kDirectChunks * per_chunk ? "k is more than a warp holds at once"
                                             : GemvSupports(shape);
}

void GemvDirect(const GemvArgs& args, const Context& context) {
  if (args.shape.n > 0) {
    ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
      if (TakesDirect<T>(args)) {
        LaunchDirect<T>(args, context);
      } else {
        LaunchWarpRow(args, context);
      }
    });
  }
  CheckLaunch("gemv/impl:direct");
}

}  // namespace kernels::cuda
