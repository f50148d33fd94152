// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/rows/norm.cuh"
#include "kernels/cuda/rows/residual_rmsnorm.h"
#include "kernels/cuda/rows/rmsnorm.h"
#include "kernels/cuda/runtime/launch.cuh"

namespace kernels::cuda {
namespace {

constexpr int kThreads = 256;

template <class T>
__global__ void AddElements(std::int64_t count, const T* x, const T* residual, T* sum) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) {
    sum[i] = FromFloat<T>(ToFloat(x[i]) + ToFloat(residual[i]));
  }
}

}  // namespace

void ResidualRmsNormReference(const ResidualRmsNormArgs& args, const Context& context) {
  const std::int64_t count = args.shape.rows * args.shape.cols;
  if (count == 0) {
    return;
  }
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    Launch("residual_rmsnorm/impl:reference", context, {CeilDiv(count, kThreads), kThreads},
           &AddElements<T>, count, static_cast<const T*>(args.x.data),
           static_cast<const T*>(args.residual.data), static_cast<T*>(args.sum.data));
  });
  cuda::RmsNormReference(
      {.shape = args.shape, .eps = args.eps, .x = args.sum, .weight = args.weight, .y = args.y},
      context);
}

void ResidualRmsNormVector(const ResidualRmsNormArgs& args, const Context& context) {
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const norm::Problem<T> problem{.rows = args.shape.rows,
                                   .cols = args.shape.cols,
                                   .inverse_cols = 1.0F / static_cast<float>(args.shape.cols),
                                   .eps = args.eps,
                                   .x = static_cast<const T*>(args.x.data),
                                   .residual = static_cast<const T*>(args.residual.data),
                                   .weight = static_cast<const T*>(args.weight.data),
                                   .sum = static_cast<T*>(args.sum.data),
                                   .y = static_cast<T*>(args.y.data)};
    norm::Run<T, true>("residual_rmsnorm/impl:vector", problem, context);
  });
}

}  // namespace kernels::cuda
