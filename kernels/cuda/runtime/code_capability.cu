// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/code_capability.h"

namespace kernels::cuda {
namespace {

__global__ void AnyKernel() {}

}  // namespace

int CodeCapability() {
  cudaFuncAttributes attributes{};
  CheckCuda(cudaFuncGetAttributes(&attributes, &AnyKernel), "looking for code for this GPU");
  return attributes.ptxVersion;
}

}  // namespace kernels::cuda
