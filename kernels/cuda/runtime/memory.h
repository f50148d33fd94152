// SPDX-License-Identifier: Apache-2.0
// memory.h: device memory that frees itself.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace kernels::cuda {

struct FreeDevice {
  void operator()(void* data) const noexcept;
};

// `bytes` of device memory, 256-byte aligned, or null for 0. Throws Error when there is not enough,
// naming how much was asked for and how much is free.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);

  std::byte* data() const { return static_cast<std::byte*>(memory_.get()); }
  std::size_t size() const { return size_; }
  std::span<std::byte> bytes() const { return {data(), size_}; }

 private:
  std::unique_ptr<void, FreeDevice> memory_;
  std::size_t size_ = 0;
};

// Waits for the device and copies; the sizes must be equal.
void CopyToDevice(std::span<std::byte> to, std::span<const std::byte> from);
void CopyToHost(std::span<std::byte> to, std::span<const std::byte> from);

}  // namespace kernels::cuda
