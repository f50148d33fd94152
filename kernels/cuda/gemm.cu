// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/gemm.h"
#include "kernels/cuda/gemm_plans.h"

namespace kernels::cuda {
namespace {

// One thread per element of c: what the formula says, and nothing else.
template <class T>
__global__ void ReferenceKernel(GemmShape shape, const T* a, const T* weight, T* c) {
  const std::int64_t each = shape.m * shape.n;
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < shape.batch * each; i += threads) {
    const std::int64_t row = i % each / shape.n;
    const std::int64_t col = i / each * shape.n + i % shape.n;
    double sum = 0;
    for (std::int64_t k = 0; k < shape.k; ++k) {
      sum += static_cast<double>(ToFloat(a[row * shape.k + k])) *
             static_cast<double>(ToFloat(weight[col * shape.k + k]));
    }
    c[i] = FromFloat<T>(static_cast<float>(sum));
  }
}

void Multiply(const GemmArgs& args, bool tuned, const Context& context) {
  if (!context.gpu->gemm_plans().Run(args, tuned, context)) {
    cuda::GemmReference(args, context);
  }
}

std::size_t Workspace(const GemmShape& shape, bool tuned, const Context& context) {
  GemmPlans& plans = context.gpu->gemm_plans();
  (void)plans.Prepare(shape, tuned);
  return plans.workspace_bytes();
}

}  // namespace

void GemmReference(const GemmArgs& args, const Context& context) {
  const std::int64_t count = args.shape.batch * args.shape.m * args.shape.n;
  if (count == 0) {
    return;
  }
  constexpr std::int64_t kThreads = 128;
  const std::int64_t blocks = std::min<std::int64_t>((count + kThreads - 1) / kThreads, 1 << 20);
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    ReferenceKernel<T><<<static_cast<unsigned>(blocks), kThreads, 0, context.stream>>>(
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
