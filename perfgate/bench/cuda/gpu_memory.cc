// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/cuda/gpu_memory.h"

#include <algorithm>
#include <string>

#include "perfgate/bench/cuda/device_work.h"
#include "perfgate/bench/cuda/gpu_status.h"

namespace perfgate::bench {
namespace {

// Fingerprints read back at once. Fixed, because memory cannot be allocated while a stream is held.
constexpr std::size_t kChunk = 4096;

}  // namespace

DevicePointer AllocateDevice(std::size_t bytes) {
  void* data = nullptr;
  const cudaError_t error = cudaMalloc(&data, bytes);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0;
    std::size_t total = 0;
    cudaMemGetInfo(&free, &total);
    throw GpuError("gpu_out_of_memory", "asked for " + std::to_string(bytes >> 20) + " MiB, " +
                                            std::to_string(free >> 20) + " of " +
                                            std::to_string(total >> 20) + " MiB are free");
  }
  CheckGpu(error, "allocating device memory");
  return DevicePointer(data);
}

GuardedBuffer::GuardedBuffer(std::size_t bytes)
    : memory_(AllocateDevice(bytes + 2 * kMargin)), bytes_(bytes) {}

GpuMemory::GpuMemory(cudaStream_t timed, int multiprocessors)
    : timed_(timed), multiprocessors_(multiprocessors) {
  CheckGpu(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking), "creating a stream");
  sums_ = AllocateDevice(kChunk * sizeof(std::uint64_t));
  CheckGpu(cudaMallocHost(reinterpret_cast<void**>(&read_back_), kChunk * sizeof(std::uint64_t)),
           "allocating pinned memory");
}

GpuMemory::~GpuMemory() {
  if (read_back_ != nullptr) cudaFreeHost(read_back_);
  if (own_ != nullptr) cudaStreamDestroy(own_);
}

void GpuMemory::Randomize(const std::vector<Region>& regions, std::uint64_t seed) {
  LaunchRandomize(regions, seed, multiprocessors_, timed_);
}

std::vector<std::uint64_t> GpuMemory::Fingerprints(const std::vector<Region>& regions,
                                                   std::uint64_t seed) {
  std::vector<std::uint64_t> prints;
  prints.reserve(regions.size());
  auto* sums = static_cast<unsigned long long*>(sums_.get());
  for (std::size_t begin = 0; begin < regions.size(); begin += kChunk) {
    const std::size_t count = std::min(kChunk, regions.size() - begin);
    const std::size_t bytes = count * sizeof(std::uint64_t);
    CheckGpu(cudaMemsetAsync(sums, 0, bytes, own_), "clearing fingerprints");
    LaunchPrints(regions, begin, begin + count, seed, sums, multiprocessors_, own_);
    CheckGpu(cudaMemcpyAsync(read_back_, sums, bytes, cudaMemcpyDeviceToHost, own_),
             "reading fingerprints");
    CheckGpu(cudaStreamSynchronize(own_), "taking fingerprints");
    prints.insert(prints.end(), read_back_, read_back_ + count);
  }
  return prints;
}

void GpuMemory::Wait() { CheckGpu(cudaDeviceSynchronize(), "waiting for the device"); }

}  // namespace perfgate::bench
