// SPDX-License-Identifier: Apache-2.0
// One or two long rows over blocks of the whole device, which tell each other their maxima and sums
// through words of Context::counters (signal.cuh). Every pair of blocks has a word of its own, so
// that its reader can set it back: with 64 blocks that is half of the counters for a row.
//
// Blocks wait for each other, so all have to be up at once: they are fewer than the
// multiprocessors, and a cooperative launch has the device promise it. 1 x 128256 takes 2.9 us on
// an H100, over a cluster of 16 blocks 3.7 us.
#include "kernels/cuda/rows/softmax.h"
#include "kernels/cuda/rows/softmax_parts.cuh"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/signal.cuh"
#include "kernels/cuda/runtime/vec.cuh"

namespace kernels::cuda {
namespace {

using namespace softmax;  // NOLINT(google-build-using-namespace): what this file is about

constexpr int kThreads = 512;
constexpr int kParts = 64;  // blocks of a row
constexpr int kV = kVec<float>;
constexpr std::int64_t kLeastGroups = 8192;  // shorter rows are left to one cluster
constexpr int kMostPer = 4;

// The sum of a block is at least 1 where its maximum is +0, so that no word is 0.
__device__ __forceinline__ std::uint64_t WordOf(const Running& running) {
  return static_cast<std::uint64_t>(__float_as_uint(running.max)) << 32 |
         __float_as_uint(running.sum);
}
__device__ __forceinline__ Running RunningOf(std::uint64_t word) {
  return {__uint_as_float(static_cast<std::uint32_t>(word >> 32)),
          __uint_as_float(static_cast<std::uint32_t>(word))};
}

// The same in every thread of all blocks of a row.
__device__ __forceinline__ Running MergeOverParts(const Running& block, std::uint64_t* of_row,
                                                  unsigned part) {
  static_assert(kParts == 2 * kWarp);
  __shared__ Running others[kParts];
  if (threadIdx.x < kParts) {
    Signal(of_row + threadIdx.x * kParts + part, WordOf(block));
    others[threadIdx.x] = RunningOf(Receive(of_row + part * kParts + threadIdx.x));
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % kWarp;
  const Running a = others[lane];
  const Running b = others[lane + kWarp];
  const float max = fmaxf(a.max, b.max);
  return MergeOverWarp({max, a.sum * Rescale(a.max, max) + b.sum * Rescale(b.max, max)});
}

// The row in registers: kPer groups per thread, exponentials in their place.
template <int kPer>
__global__ void __launch_bounds__(kThreads, 2)
    GridKernel(int groups, const float* x_rows, float* y_rows, std::uint64_t* words) {
  __shared__ Running scratch[kWarp];
  LetNextStart();
  const unsigned part = blockIdx.x % kParts;
  const std::int64_t row = blockIdx.x / kParts;
  const float* x = x_rows + row * groups * kV;
  float* y = y_rows + row * groups * kV;
  // Parts of equal size, rather than full ones and a few empty.
  const int size = (groups + kParts - 1) / kParts;
  const int begin = static_cast<int>(part) * size;
  const int end = min(begin + size, groups);
  if (threadIdx.x == 0) {
    FetchAhead(x + std::int64_t{begin} * kV, std::int64_t{end - begin} * kV * 4);
  }
  WaitForPrevious();

  float value[kPer][kV];
  float max = MinusInfinity();
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    const int i = begin + static_cast<int>(threadIdx.x) + u * kThreads;
    if (i < end) {
      ToFloats(LoadOnce<float, kV>(x + std::int64_t{i} * kV), value[u]);
    } else {
#pragma unroll
      for (float& v : value[u]) {
        v = MinusInfinity();
      }
    }
  }
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
#pragma unroll
    for (const float v : value[u]) {
      max = fmaxf(max, v);
    }
  }
  const float warp_max = MaxOverWarp(max);
  const float warp_base = Base(warp_max);
  float sums[kV] = {};
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
#pragma unroll
    for (int k = 0; k < kV; ++k) {
      value[u][k] = Exponential<float>(value[u][k] - warp_base);
      sums[k] += value[u][k];
    }
  }
  const float warp_sum = OverWarp((sums[0] + sums[1]) + (sums[2] + sums[3]), Plus{});
  const Running all = MergeOverParts(MergeOverBlock({warp_max, warp_sum}, scratch),
                                     words + row * kParts * kParts, part);
  const float factor = Rescale(warp_max, all.max) * (1.0F / all.sum);
#pragma unroll
  for (int u = 0; u < kPer; ++u) {
    const int i = begin + static_cast<int>(threadIdx.x) + u * kThreads;
    if (i < end) {
#pragma unroll
      for (float& v : value[u]) {
        v *= factor;
      }
      Store(y + std::int64_t{i} * kV, FromFloats<float, kV>(value[u]));
    }
  }
}

}  // namespace

bool LaunchSoftmaxGrid(const SoftmaxArgs& args, const Context& context) {
  const SoftmaxShape& shape = args.shape;
  const auto* const x = static_cast<const float*>(args.x.data);
  auto* const y = static_cast<float*>(args.y.data);
  const std::int64_t groups = shape.cols / kV;
  const std::int64_t per = CeilDiv(CeilDiv(groups, kParts), kThreads);
  const bool fits =
      shape.dtype == DType::kF32 && shape.rows > 0 && shape.cols % kV == 0 && Aligned({x, y}) &&
      groups >= kLeastGroups && per <= kMostPer &&
      shape.rows * kParts <= context.gpu->limits().multiprocessors &&
      static_cast<std::size_t>(shape.rows) * kParts * kParts * 2 <= context.counters.size();
  if (!fits) {
    return false;
  }
  const auto launch = [&](auto kernel) {
    const Grid grid{
        .blocks = shape.rows * kParts, .threads = kThreads, .early = true, .together = true};
    Launch("softmax/impl:vector", context, grid, kernel, static_cast<int>(groups), x, y,
           reinterpret_cast<std::uint64_t*>(context.counters.data()));
  };
  per == 1 ? launch(&GridKernel<1>) : per == 2 ? launch(&GridKernel<2>) : launch(&GridKernel<4>);
  return true;
}

}  // namespace kernels::cuda
