// SPDX-License-Identifier: Apache-2.0
// gpu_status.h: what went wrong with a GPU, in words that reports and people can tell apart.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace perfgate::bench {

// "gpu_no_driver", "gpu_driver_too_old", "gpu_no_device", "gpu_out_of_memory", "gpu_device_lost",
// "gpu_kernel_failed" (a kernel trapped or touched memory that is not its own; nothing more can run
// in this process), "gpu_models_differ", "gpu_error" for the rest.
class GpuError : public std::runtime_error {
 public:
  GpuError(std::string status, const std::string& detail)
      : std::runtime_error(status + ": " + detail), status_(std::move(status)) {}
  const std::string& status() const { return status_; }
  // The context is gone: every further call in this process fails.
  bool fatal() const { return status_ == "gpu_device_lost" || status_ == "gpu_kernel_failed"; }

 private:
  std::string status_;
};

// The status word of a CUDA runtime error.
std::string StatusOf(cudaError_t error);

// Throws GpuError("<status>: <doing>: <what CUDA says> (<its name>)") unless cudaSuccess.
void CheckGpu(cudaError_t error, const char* doing);

// Throws gpu_models_differ unless all devices that a process sees are of one model: the two arms of
// a comparison might otherwise not run on the same one.
void RequireOneModel(const std::vector<std::string>& names);

}  // namespace perfgate::bench
