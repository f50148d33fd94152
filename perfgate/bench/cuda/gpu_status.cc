// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/cuda/gpu_status.h"

namespace perfgate::bench {

std::string StatusOf(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
      return "gpu_no_device";
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
      return "gpu_driver_too_old";
    case cudaErrorSystemNotReady:
    case cudaErrorStubLibrary:
      return "gpu_no_driver";
    case cudaErrorMemoryAllocation:
      return "gpu_out_of_memory";
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorDevicesUnavailable:
    case cudaErrorMpsConnectionFailed:
      return "gpu_device_lost";
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return "gpu_kernel_failed";
    default:
      return "gpu_error";
  }
}

void RequireOneModel(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name == names.front()) continue;
    throw GpuError("gpu_models_differ", names.front() + " and " + name +
                                            " are both visible, and arms of a comparison might not "
                                            "run on the same one; name one in "
                                            "CUDA_VISIBLE_DEVICES");
  }
}

void CheckGpu(cudaError_t error, const char* doing) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // clears what is not sticky, so that the next case starts clean
  // The runtime says "insufficient driver" where there is none at all.
  std::string status = StatusOf(error);
  if (error == cudaErrorInsufficientDriver) {
    int version = 0;
    if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0) status = "gpu_no_driver";
    cudaGetLastError();
  }
  throw GpuError(std::move(status), std::string(doing) + ": " + cudaGetErrorString(error) + " (" +
                                        cudaGetErrorName(error) + ")");
}

}  // namespace perfgate::bench
