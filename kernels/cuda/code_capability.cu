// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/code_capability.h"

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
