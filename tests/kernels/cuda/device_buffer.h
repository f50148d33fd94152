// SPDX-License-Identifier: Apache-2.0
// device_buffer.h: a vector on the device, for tests that choose every value.
#pragma once

#include <span>
#include <vector>

#include "kernels/cuda/runtime/memory.h"

namespace kernels::testing {

template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(const std::vector<T>& values)
      : size_(values.size()), memory_(values.size() * sizeof(T)) {
    cuda::CopyToDevice(memory_.bytes(), std::as_bytes(std::span(values)));
  }

  T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  std::span<T> span() const { return {data(), size_}; }
  std::vector<T> Host() const {
    std::vector<T> values(size_);
    cuda::CopyToHost(std::as_writable_bytes(std::span(values)), memory_.bytes());
    return values;
  }

 private:
  std::size_t size_;
  cuda::DeviceMemory memory_;
};

}  // namespace kernels::testing
