// SPDX-License-Identifier: Apache-2.0
// check_cuda.h: turns the result of a CUDA runtime call into kernels::Error.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

namespace kernels::cuda {

// Throws Error("<doing>: <what CUDA says> (<its name>)") unless `status` is cudaSuccess.
void CheckCuda(cudaError_t status, std::string_view doing);

// Called after a launch: reports one that could not be made. It does not wait for the kernel, whose
// own errors appear at the next synchronising call.
void CheckLaunch(std::string_view op);

}  // namespace kernels::cuda
