// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/memory.h"

#include <cuda_runtime_api.h>

#include <string>

#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/error.h"

namespace kernels::cuda {
namespace {

void Copy(std::span<std::byte> to, std::span<const std::byte> from, cudaMemcpyKind kind) {
  if (to.size() != from.size()) {
    throw Error("copy of " + std::to_string(from.size()) + " bytes into a buffer of " +
                std::to_string(to.size()));
  }
  if (!to.empty()) {
    CheckCuda(cudaDeviceSynchronize(), "waiting for the device");
    CheckCuda(cudaMemcpy(to.data(), from.data(), to.size(), kind), "cudaMemcpy");
    // From pageable memory it returns while the last piece is on its way, and streams that do not
    // wait for the default stream would read what was there before.
    CheckCuda(cudaDeviceSynchronize(), "waiting for a copy");
  }
}

}  // namespace

void FreeDevice::operator()(void* data) const noexcept { (void)cudaFree(data); }

DeviceMemory::DeviceMemory(std::size_t bytes) : size_(bytes) {
  if (bytes == 0) {
    return;
  }
  void* data = nullptr;
  const cudaError_t status = cudaMalloc(&data, bytes);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();  // not sticky: the device goes on
    std::size_t free = 0;
    std::size_t total = 0;
    CheckCuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    throw Error("out of device memory: " + std::to_string(bytes) + " bytes asked for, " +
                std::to_string(free) + " of " + std::to_string(total) + " free");
  }
  CheckCuda(status, "cudaMalloc");
  memory_.reset(data);
}

void CopyToDevice(std::span<std::byte> to, std::span<const std::byte> from) {
  Copy(to, from, cudaMemcpyHostToDevice);
}

void CopyToHost(std::span<std::byte> to, std::span<const std::byte> from) {
  Copy(to, from, cudaMemcpyDeviceToHost);
}

}  // namespace kernels::cuda
