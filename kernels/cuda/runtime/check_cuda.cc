// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/check_cuda.h"

#include <string>

#include "kernels/error.h"

namespace kernels::cuda {

void CheckCuda(cudaError_t status, std::string_view doing) {
  if (status != cudaSuccess) {
    (void)cudaGetLastError();  // told here; a launch that succeeds later must not be blamed for it
    throw Error(std::string(doing) + ": " + cudaGetErrorString(status) + " (" +
                cudaGetErrorName(status) + ")");
  }
}

void CheckLaunch(std::string_view op) { CheckCuda(cudaGetLastError(), op); }

}  // namespace kernels::cuda
