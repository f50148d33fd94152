// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/dot/gemm.h"
#include "kernels/cuda/dot/gemm_plans.h"
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/element.cuh"

namespace kernels::cuda {
namespace {

constexpr int kTile = 32;
constexpr int kRowsPerThread = 4;
constexpr int kThreads = kTile * kTile / kRowsPerThread;

// A square of c per block, in float64, k in order. As plain as it can be and still be an oracle for
// large products: tiles of both factors go through shared memory.
template <class T>
__global__ void __launch_bounds__(kThreads)
    ReferenceKernel(GemmShape shape, const T* a, const T* weight, T* c) {
  __shared__ double a_tile[kTile][kTile];           // [row, k]
  __shared__ double weight_tile[kTile][kTile + 1];  // [col, k]; threads read down a column of it
  const int lane = static_cast<int>(threadIdx.x % kTile);
  const int first = static_cast<int>(threadIdx.x / kTile) * kRowsPerThread;
  const std::int64_t across = (shape.n + kTile - 1) / kTile;
  const std::int64_t row0 = blockIdx.x / across * kTile;
  const std::int64_t col0 = blockIdx.x % across * kTile;
  for (std::int64_t batch = blockIdx.y; batch < shape.batch; batch += gridDim.y) {
    double sums[kRowsPerThread] = {};
    for (std::int64_t k0 = 0; k0 < shape.k; k0 += kTile) {
      const std::int64_t k = k0 + lane;
      for (int i = first; i < first + kRowsPerThread; ++i) {
        const bool in_a = row0 + i < shape.m && k < shape.k;
        const bool in_weight = col0 + i < shape.n && k < shape.k;
        a_tile[i][lane] = in_a ? ToFloat(a[(row0 + i) * shape.k + k]) : 0;
        weight_tile[i][lane] =
            in_weight ? ToFloat(weight[(batch * shape.n + col0 + i) * shape.k + k]) : 0;
      }
      __syncthreads();
      const int depth = shape.k - k0 < kTile ? static_cast<int>(shape.k - k0) : kTile;
      for (int i = 0; i < depth; ++i) {
        const double factor = weight_tile[lane][i];
        for (int row = 0; row < kRowsPerThread; ++row) {
          sums[row] += a_tile[first + row][i] * factor;
        }
      }
      __syncthreads();
    }
    for (int row = 0; row < kRowsPerThread; ++row) {
      if (row0 + first + row < shape.m && col0 + lane < shape.n) {
        c[(batch * shape.m + row0 + first + row) * shape.n + col0 + lane] =
            FromFloat<T>(static_cast<float>(sums[row]));
      }
    }
  }
}

void Multiply(const GemmArgs& args, bool tuned, const Context& context) {
  if (!PlansOf(*context.gpu).Run(args, tuned, context)) {
    cuda::GemmReference(args, context);
  }
}

std::size_t Workspace(const GemmShape& shape, bool tuned, const Context& context) {
  GemmPlans& plans = PlansOf(*context.gpu);
  (void)plans.Prepare(shape, tuned);
  return plans.workspace_bytes();
}

}  // namespace

void GemmReference(const GemmArgs& args, const Context& context) {
  const std::int64_t count = args.shape.batch * args.shape.m * args.shape.n;
  if (count == 0) {
    return;
  }
  const auto tiles = [](std::int64_t size) { return (size + kTile - 1) / kTile; };
  const dim3 grid(static_cast<unsigned>(tiles(args.shape.m) * tiles(args.shape.n)),
                  static_cast<unsigned>(std::min<std::int64_t>(args.shape.batch, 65535)));
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    ReferenceKernel<T><<<grid, kThreads, 0, context.stream>>>(
        args.shape, static_cast<const T*>(args.a.data), static_cast<const T*>(args.weight.data),
        static_cast<T*>(args.c.data));
  });
  CheckLaunch("gemm/impl:reference");
}

void GemmCublasLt(const GemmArgs& args, const Context& context) { Multiply(args, true, context); }

void GemmCublasLtFirst(const GemmArgs& args, const Context& context) {
  Multiply(args, false, context);
}

std::size_t GemmWorkspace(const GemmShape& shape, const Context& context) {
  return Workspace(shape, true, context);
}

std::size_t GemmWorkspaceFirst(const GemmShape& shape, const Context& context) {
  return Workspace(shape, false, context);
}

}  // namespace kernels::cuda
