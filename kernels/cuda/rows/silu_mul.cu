// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/rows/silu.cuh"
#include "kernels/cuda/rows/silu_mul.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/vec.cuh"

namespace kernels::cuda {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void ReferenceKernel(std::int64_t count, const T* gate, const T* up, T* y) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    const auto g = static_cast<double>(ToFloat(gate[i]));
    const double silu = g / (1.0 + exp(-g));
    y[i] = FromFloat<T>(static_cast<float>(silu * static_cast<double>(ToFloat(up[i]))));
  }
}

// Single elements are loaded four at a time, groups of 16 bytes one by one.
template <int V>
constexpr int kPerThread = V == 1 ? 4 : 1;

// kPerThread<V> groups of V elements of each input per thread; one tile per block. The elements
// after the last full group go to the first threads of the grid.
template <class T, int V>
__global__ void __launch_bounds__(kThreads)
    TileKernel(std::int64_t count, const T* gate, const T* up, T* y, bool ahead) {
  constexpr int kPer = kPerThread<V>;
  LetNextStart();
  if (ahead && threadIdx.x == 0) {
    constexpr std::int64_t kTile = kThreads * kPer * V;
    const std::int64_t at = blockIdx.x * kTile;
    const std::int64_t bytes = min(kTile, count - at) * static_cast<std::int64_t>(sizeof(T));
    FetchAhead(gate + at, bytes);
    FetchAhead(up + at, bytes);
  }
  WaitForPrevious();
  const std::int64_t groups = count / V;
  const std::int64_t first =
      static_cast<std::int64_t>(blockIdx.x) * (kThreads * kPer) + threadIdx.x;
  Pack<T, V> g[kPer], u[kPer];
#pragma unroll
  for (int k = 0; k < kPer; ++k) {
    const std::int64_t i = first + k * kThreads;
    if (i < groups) {
      g[k] = LoadOnce<T, V>(gate + i * V);
      u[k] = LoadOnce<T, V>(up + i * V);
    }
  }
  // The loads of the tail go with the others: a second trip to memory is much of a small problem.
  const std::int64_t tail = groups * V + threadIdx.x;
  const bool has_tail = blockIdx.x == 0 && tail < count;
  const float tail_gate = has_tail ? ToFloat(gate[tail]) : 0.0F;
  const float tail_up = has_tail ? ToFloat(up[tail]) : 0.0F;
#pragma unroll
  for (int k = 0; k < kPer; ++k) {
    const std::int64_t i = first + k * kThreads;
    if (i < groups) {
      float a[V], b[V];
      ToFloats(g[k], a);
      ToFloats(u[k], b);
#pragma unroll
      for (int j = 0; j < V; ++j) {
        a[j] = SiluMul(a[j], b[j]);
      }
      Store(y + i * V, FromFloats<T, V>(a));
    }
  }
  if (has_tail) {
    y[tail] = FromFloat<T>(SiluMul(tail_gate, tail_up));
  }
}

}  // namespace

void SiluMulReference(const SiluMulArgs& args, const Context& context) {
  const std::int64_t count = args.shape.rows * args.shape.cols;
  if (count == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    Launch("silu_mul/impl:reference", context, {CeilDiv(count, kThreads), kThreads},
           &ReferenceKernel<T>, count, static_cast<const T*>(args.gate.data),
           static_cast<const T*>(args.up.data), static_cast<T*>(args.y.data));
  });
}

void SiluMulVector(const SiluMulArgs& args, const Context& context) {
  const std::int64_t count = args.shape.rows * args.shape.cols;
  if (count == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const auto* gate = static_cast<const T*>(args.gate.data);
    const auto* up = static_cast<const T*>(args.up.data);
    auto* y = static_cast<T*>(args.y.data);
    const auto launch = [&](auto kernel, int each) {  // elements per thread
      const Grid grid{
          .blocks = CeilDiv(count, kThreads * each), .threads = kThreads, .early = true};
      Launch("silu_mul/impl:vector", context, grid, kernel, count, gate, up, y,
             IsOneWave(grid, context));
    };
    constexpr int kV = kVec<T>;
    if (!Aligned({gate, up, y})) {
      launch(&TileKernel<T, 1>, kPerThread<1>);
    } else {
      launch(&TileKernel<T, kV>, kV * kPerThread<kV>);
    }
  });
}

}  // namespace kernels::cuda
