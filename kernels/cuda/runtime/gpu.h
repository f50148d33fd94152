// SPDX-License-Identifier: Apache-2.0
// gpu.h: one NVIDIA GPU: what its kernels need to know of it, and the state that launches share.
//
// Nothing here needs CUDA's headers, so that code which only passes a Gpu on compiles anywhere.
// Errors are kernels::Error naming the CUDA call, its code and what it means.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>

namespace kernels::cuda {

// Compute capabilities are 90 for 9.0. A build for 8.0 alone runs on a 9.0, but its kernels that
// need 9.0 are empty there.
struct GpuLimits {
  std::string name;         // "NVIDIA H100 80GB HBM3"
  int ordinal = 0;          // CUDA's number of the device
  int device_sm = 0;        // what the device has
  int sm = 0;               // what our kernels may use: the lesser of that and of their code
  int multiprocessors = 0;  // SMs
  int threads_per_multiprocessor = 0;
  std::size_t l2_bytes = 0;
  std::size_t shared_bytes = 0;  // most shared memory of one block, by opt-in
  std::size_t memory_bytes = 0;
};

// How many devices the driver shows; 0 with the reason in *why where there is no driver, none that
// this build can use, or no device. Never throws.
int GpuCount(std::string* why = nullptr);

class Gpu {
 public:
  // Makes `ordinal` current on this thread and creates its context.
  explicit Gpu(int ordinal = 0);
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const GpuLimits& limits() const { return limits_; }

  // What all launches of one family share on this GPU, such as a library's handle: T(limits()),
  // made at the first use. The family that owns T knows it; this file does not.
  template <class T>
  T& Shared() {
    std::shared_ptr<void>& shared = shared_[typeid(T)];
    if (shared == nullptr) {
      shared = std::make_shared<T>(limits_);
    }
    return *static_cast<T*>(shared.get());
  }

 private:
  GpuLimits limits_;
  std::map<std::type_index, std::shared_ptr<void>> shared_;
};

}  // namespace kernels::cuda
