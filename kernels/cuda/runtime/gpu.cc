// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/gpu.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/code_capability.h"

namespace kernels::cuda {
namespace {

GpuLimits LimitsOf(int ordinal) {
  cudaDeviceProp properties{};
  CheckCuda(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties");
  const int device_sm = 10 * properties.major + properties.minor;
  return {.name = properties.name,
          .ordinal = ordinal,
          .device_sm = device_sm,
          .sm = std::min(device_sm, CodeCapability()),
          .multiprocessors = properties.multiProcessorCount,
          .threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor,
          .l2_bytes = static_cast<std::size_t>(properties.l2CacheSize),
          .shared_bytes = properties.sharedMemPerBlockOptin,
          .memory_bytes = properties.totalGlobalMem};
}

}  // namespace

int GpuCount(std::string* why) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    count = 0;
  }
  if (count == 0 && why != nullptr) {
    *why = status == cudaSuccess ? "the driver shows no GPU" : cudaGetErrorString(status);
  }
  return count;
}

Gpu::Gpu(int ordinal) {
  CheckCuda(cudaSetDevice(ordinal), "cudaSetDevice(" + std::to_string(ordinal) + ")");
  CheckCuda(cudaFree(nullptr), "creating the CUDA context");
  limits_ = LimitsOf(ordinal);
}

}  // namespace kernels::cuda
