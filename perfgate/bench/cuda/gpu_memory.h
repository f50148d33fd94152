// SPDX-License-Identifier: Apache-2.0
// gpu_memory.h: device memory as the guards see it, and buffers with margins for canaries.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "perfgate/bench/guard_memory.h"

namespace perfgate::bench {

struct FreeDeviceMemory {
  void operator()(void* data) const noexcept { cudaFree(data); }
};
using DevicePointer = std::unique_ptr<void, FreeDeviceMemory>;

// Throws GpuError gpu_out_of_memory with what was asked for and what is free.
DevicePointer AllocateDevice(std::size_t bytes);

// One allocation with `margin` bytes before and behind it for canaries; data is 256-byte aligned.
class GuardedBuffer {
 public:
  static constexpr std::size_t kMargin = 256;
  GuardedBuffer() = default;
  explicit GuardedBuffer(std::size_t bytes);

  void* data() const { return static_cast<unsigned char*>(memory_.get()) + kMargin; }
  std::size_t bytes() const { return bytes_; }
  Region region(Content content = Content::kKeep) const {
    return {data(), bytes_, content, kMargin};
  }

 private:
  DevicePointer memory_;
  std::size_t bytes_ = 0;
};

class GpuMemory final : public Memory {
 public:
  // Randomize() is queued on `timed`; fingerprints are taken on a stream of their own, so that they
  // can be taken while `timed` is held.
  GpuMemory(cudaStream_t timed, int multiprocessors);
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  ~GpuMemory() override;

  void Randomize(const std::vector<Region>& regions, std::uint64_t seed) override;
  std::vector<std::uint64_t> Fingerprints(const std::vector<Region>& regions,
                                          std::uint64_t seed) override;
  void Wait() override;

 private:
  cudaStream_t timed_;
  cudaStream_t own_ = nullptr;
  int multiprocessors_;
  DevicePointer sums_;
  std::uint64_t* read_back_ = nullptr;  // pinned, so that reading waits for nothing else
};

}  // namespace perfgate::bench
