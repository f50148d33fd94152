// SPDX-License-Identifier: Apache-2.0
// gpu.h: one NVIDIA GPU: what its kernels need to know of it, and the library state that launches
// share.
//
// Nothing here needs CUDA's headers, so that code which only passes a Gpu on compiles anywhere.
// Errors are kernels::Error naming the CUDA call, its code and what it means.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace kernels::cuda {

class GemmPlans;

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
  ~Gpu();

  const GpuLimits& limits() const { return limits_; }
  // The cuBLASLt handle and its chosen algorithms, created at the first use.
  GemmPlans& gemm_plans();

 private:
  GpuLimits limits_;
  std::unique_ptr<GemmPlans> gemm_plans_;
};

}  // namespace kernels::cuda
