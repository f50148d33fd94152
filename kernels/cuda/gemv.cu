// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/dot_rows.cuh"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/gemv.h"
#include "kernels/cuda/gpu.h"
#include "kernels/cuda/last_block.cuh"
#include "kernels/cuda/weights.cuh"

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

template <class T, bool kAligned, int kTeam>
__global__ void __launch_bounds__(kDotThreads, kAligned ? kDotBlocksPerSm : 1)
    VectorKernel(const T* weight, const float* x, float* y, std::int64_t n, std::int64_t k,
                 int slice_chunks, float* partial, std::uint32_t* counters) {
  extern __shared__ float4 shared[];
  float* const to = gridDim.y == 1 ? y : partial + blockIdx.y * n;
  DotRows<T, kAligned, kTeam>(weight, x, n, k, slice_chunks, shared,
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

template <class T>
DotPlan Plan(const GemvShape& shape, const Context& context, unsigned least_slices) {
  return PlanDot(shape.n, shape.k, kPerChunk<T>, context.gpu->limits().multiprocessors,
                 least_slices);
}

std::size_t Workspace(const GemvShape& shape, const Context& context, unsigned least_slices) {
  std::size_t bytes = 0;
  ForFloatOrBf16(shape.dtype, [&]<class T>(Tag<T>) {
    const unsigned slices = Plan<T>(shape, context, least_slices).slices;
    bytes = slices > 1 ? slices * static_cast<std::size_t>(shape.n) * sizeof(float) : 0;
  });
  return bytes;
}

template <class T, bool kAligned, int kTeam>
void LaunchVector(const GemvArgs& args, const Context& context, const DotPlan& plan) {
  const auto kernel = &VectorKernel<T, kAligned, kTeam>;
  CheckCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(kDotSharedBytes)),
            "gemv: shared memory");
  kernel<<<dim3(plan.blocks, plan.slices), kDotThreads, plan.shared_bytes, context.stream>>>(
      static_cast<const T*>(args.weight.data), static_cast<const float*>(args.x.data),
      static_cast<float*>(args.y.data), args.shape.n, args.shape.k, plan.slice_chunks,
      reinterpret_cast<float*>(context.workspace.data()), context.counters.data());
}

void Launch(const GemvArgs& args, const Context& context, unsigned least_slices) {
  if (args.shape.n == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const DotPlan plan = Plan<T>(args.shape, context, least_slices);
    ForTeam(plan.team, [&]<int kTeam>(Team<kTeam>) {
      if (IsAligned(static_cast<const T*>(args.weight.data), args.shape.k)) {
        LaunchVector<T, true, kTeam>(args, context, plan);
      } else {
        LaunchVector<T, false, kTeam>(args, context, plan);
      }
    });
  });
}

constexpr unsigned kSplitSlices = 4;

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
  Launch(args, context, 1);
  CheckLaunch("gemv/impl:vector");
}

std::size_t GemvVectorWorkspace(const GemvShape& shape, const Context& context) {
  return Workspace(shape, context, 1);
}

void GemvSplit(const GemvArgs& args, const Context& context) {
  Launch(args, context, kSplitSlices);
  CheckLaunch("gemv/impl:split");
}

std::size_t GemvSplitWorkspace(const GemvShape& shape, const Context& context) {
  return Workspace(shape, context, kSplitSlices);
}

void GemvWarpRow(const GemvArgs& args, const Context& context) {
  if (args.shape.n == 0) {
    return;
  }
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
  CheckLaunch("gemv/impl:warp_row");
}

}  // namespace kernels::cuda
