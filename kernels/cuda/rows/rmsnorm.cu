// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/rows/norm.cuh"
#include "kernels/cuda/rows/rmsnorm.h"
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/element.cuh"

namespace kernels::cuda {
namespace {

// One thread per row: what the formula says, and nothing else.
template <class T>
__global__ void ReferenceKernel(RmsNormShape shape, float eps, const T* x, const T* weight, T* y) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= shape.rows) {
    return;
  }
  double sum = 0;
  for (std::int64_t i = 0; i < shape.cols; ++i) {
    const double value = ToFloat(x[row * shape.cols + i]);
    sum += value * value;
  }
  const double rms = sqrt(sum / static_cast<double>(shape.cols) + static_cast<double>(eps));
  for (std::int64_t i = 0; i < shape.cols; ++i) {
    const double value = ToFloat(x[row * shape.cols + i]);
    const double scaled = value / rms * static_cast<double>(ToFloat(weight[i]));
    y[row * shape.cols + i] = FromFloat<T>(static_cast<float>(scaled));
  }
}

}  // namespace

void RmsNormReference(const RmsNormArgs& args, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  constexpr unsigned kThreads = 128;
  const auto blocks = static_cast<unsigned>((args.shape.rows + kThreads - 1) / kThreads);
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    ReferenceKernel<T><<<blocks, kThreads, 0, context.stream>>>(
        args.shape, args.eps, static_cast<const T*>(args.x.data),
        static_cast<const T*>(args.weight.data), static_cast<T*>(args.y.data));
  });
  CheckLaunch("rmsnorm/impl:reference");
}

void RmsNormVector(const RmsNormArgs& args, const Context& context) {
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const norm::Problem<T> problem{.rows = args.shape.rows,
                                   .cols = args.shape.cols,
                                   .inverse_cols = 1.0F / static_cast<float>(args.shape.cols),
                                   .eps = args.eps,
                                   .x = static_cast<const T*>(args.x.data),
                                   .residual = nullptr,
                                   .weight = static_cast<const T*>(args.weight.data),
                                   .sum = nullptr,
                                   .y = static_cast<T*>(args.y.data)};
    norm::Run<T, false>("rmsnorm/impl:vector", problem, context);
  });
}

}  // namespace kernels::cuda
