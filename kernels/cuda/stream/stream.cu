// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/reduce.cuh"
#include "kernels/cuda/runtime/vec.cuh"
#include "kernels/cuda/stream/stream.h"

namespace kernels::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kLoads = 4;  // of 16 bytes, in flight per thread

template <class T>
__global__ void CopyElements(std::int64_t count, const T* x, T* y) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    y[i] = x[i];
  }
}

template <bool kHints>
__device__ __forceinline__ uint4 Read(const uint4* from) {
  uint4 v;
  if constexpr (kHints) {
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
  } else {
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
  }
  return v;
}

// One tile of kThreads * kLoads groups per block; the elements after the last full group of 16
// bytes go to the first threads of the grid.
template <class T, bool kHints>
__global__ void __launch_bounds__(kThreads) CopyGroups(std::int64_t count, const T* x, T* y) {
  LetNextStart();
  WaitForPrevious();
  const std::int64_t groups = count / kVec<T>;
  const auto* from = reinterpret_cast<const uint4*>(x);
  auto* to = reinterpret_cast<uint4*>(y);
  const std::int64_t first =
      static_cast<std::int64_t>(blockIdx.x) * (kThreads * kLoads) + threadIdx.x;
  uint4 v[kLoads];
#pragma unroll
  for (int u = 0; u < kLoads; ++u) {
    if (first + u * kThreads < groups) {
      v[u] = Read<kHints>(from + first + u * kThreads);
    }
  }
#pragma unroll
  for (int u = 0; u < kLoads; ++u) {
    if (first + u * kThreads < groups) {
      if constexpr (kHints) {
        __stcs(to + first + u * kThreads, v[u]);
      } else {
        to[first + u * kThreads] = v[u];
      }
    }
  }
  const std::int64_t tail = groups * kVec<T> + threadIdx.x;
  if (blockIdx.x == 0 && tail < count) {
    y[tail] = x[tail];
  }
}

template <bool kHints>
void CopyFast(std::string_view name, const CopyArgs& args, const Context& context) {
  const std::int64_t count = args.shape.count;
  if (count == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const auto* x = static_cast<const T*>(args.x.data);
    auto* y = static_cast<T*>(args.y.data);
    if (Aligned({x, y})) {
      const std::int64_t blocks = CeilDiv(CeilDiv(count, kVec<T>), kThreads * kLoads);
      const Grid grid{.blocks = blocks, .threads = kThreads, .early = true};
      Launch(name, context, grid, &CopyGroups<T, kHints>, count, x, y);
    } else {
      Launch(name, context, {CeilDiv(count, kThreads), kThreads}, &CopyElements<T>, count, x, y);
    }
  });
}

__global__ void SumInOrder(std::int64_t count, const float* x, float* total) {
  double sum = 0;
  for (std::int64_t i = threadIdx.x; i < count; i += kWarp) {
    sum += static_cast<double>(x[i]);
  }
  sum = OverWarp(sum, Plus{});
  if (threadIdx.x == 0) {
    *total = static_cast<float>(sum);
  }
}

constexpr int kSumThreads = 512;
constexpr int kSumLoads = 8;

std::int64_t SumBlocks(std::int64_t groups, const Context& context) {
  const GpuLimits& limits = context.gpu->limits();
  const std::int64_t most = static_cast<std::int64_t>(limits.multiprocessors) *
                            (limits.threads_per_multiprocessor / kSumThreads);
  const std::int64_t wanted = CeilDiv(groups, kSumThreads * kSumLoads);
  return wanted < 1 ? 1 : wanted < most ? wanted : most;
}

// Each block sums every gridDim-th tile; the block that finishes last adds the blocks' sums in
// order of block. `counter` is zero before and after.
template <int V>
__global__ void __launch_bounds__(kSumThreads)
    SumTiles(std::int64_t count, const float* x, float* partial, unsigned* counter, float* total) {
  __shared__ float scratch[2][kWarp];
  __shared__ bool last;
  LetNextStart();
  WaitForPrevious();
  const std::int64_t groups = count / V;
  constexpr std::int64_t kTile = kSumThreads * kSumLoads;
  float sum[V] = {};
  for (std::int64_t tile = blockIdx.x * kTile; tile < groups; tile += gridDim.x * kTile) {
    Pack<float, V> v[kSumLoads];
#pragma unroll
    for (int u = 0; u < kSumLoads; ++u) {
      const std::int64_t at = tile + u * kSumThreads + threadIdx.x;
      v[u] = at < groups ? LoadOnce<float, V>(x + at * V) : Pack<float, V>{};
    }
#pragma unroll
    for (int u = 0; u < kSumLoads; ++u) {
      float value[V];
      ToFloats(v[u], value);
#pragma unroll
      for (int i = 0; i < V; ++i) {
        sum[i] += value[i];
      }
    }
  }
  float mine = 0;
#pragma unroll
  for (int i = 0; i < V; ++i) {
    mine += sum[i];
  }
  const std::int64_t tail = groups * V + threadIdx.x;
  if (blockIdx.x == 0 && tail < count) {
    mine += x[tail];
  }
  mine = OverBlock(mine, 0.0F, Plus{}, scratch[0]);
  if (gridDim.x == 1) {
    if (threadIdx.x == 0) {
      *total = mine;
    }
    return;
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(counter, 1U) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) {
    return;
  }
  __threadfence();
  float all = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kSumThreads) {
    all += __ldcg(partial + i);
  }
  all = OverBlock(all, 0.0F, Plus{}, scratch[1]);
  if (threadIdx.x == 0) {
    *total = all;
    *counter = 0;
  }
}

}  // namespace

void CopyReference(const CopyArgs& args, const Context& context) {
  if (args.shape.count == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    Launch("copy/impl:reference", context, {CeilDiv(args.shape.count, kThreads), kThreads},
           &CopyElements<T>, args.shape.count, static_cast<const T*>(args.x.data),
           static_cast<T*>(args.y.data));
  });
}

void CopyVector(const CopyArgs& args, const Context& context) {
  CopyFast<true>("copy/impl:vector", args, context);
}

void CopyPlain(const CopyArgs& args, const Context& context) {
  CopyFast<false>("copy/impl:plain", args, context);
}

void CopyMemcpy(const CopyArgs& args, const Context& context) {
  const std::size_t bytes = static_cast<std::size_t>(args.shape.count) * ByteSize(args.shape.dtype);
  if (bytes > 0) {
    CheckCuda(
        cudaMemcpyAsync(args.y.data, args.x.data, bytes, cudaMemcpyDeviceToDevice, context.stream),
        "copy/impl:memcpy");
  }
}

void SumReference(const SumArgs& args, const Context& context) {
  Launch("sum/impl:reference", context, {1, kWarp}, &SumInOrder, args.shape.count,
         static_cast<const float*>(args.x.data), static_cast<float*>(args.total.data));
}

std::size_t SumWorkspace(const SumShape& shape, const Context& context) {
  return static_cast<std::size_t>(SumBlocks(shape.count, context)) * sizeof(float);
}

void SumVector(const SumArgs& args, const Context& context) {
  const std::int64_t count = args.shape.count;
  const auto* x = static_cast<const float*>(args.x.data);
  auto* partial = reinterpret_cast<float*>(context.workspace.data());
  auto* total = static_cast<float*>(args.total.data);
  unsigned* counter = context.counters.data();
  const auto launch = [&](auto kernel, std::int64_t groups) {
    const Grid grid{.blocks = SumBlocks(groups, context), .threads = kSumThreads, .early = true};
    Launch("sum/impl:vector", context, grid, kernel, count, x, partial, counter, total);
  };
  Aligned({x}) ? launch(&SumTiles<4>, count / 4) : launch(&SumTiles<1>, count);
}

}  // namespace kernels::cuda
