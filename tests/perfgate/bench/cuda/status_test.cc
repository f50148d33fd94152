// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/bench/cuda/gpu_status.h"

namespace perfgate::bench {
namespace {

using testing::HasSubstr;

GpuError Thrown(cudaError_t error) {
  try {
    CheckGpu(error, "testing");
  } catch (const GpuError& thrown) {
    return thrown;
  }
  return {"nothing", ""};
}

TEST(GpuStatus, EveryTroubleHasItsWord) {
  EXPECT_EQ(StatusOf(cudaErrorNoDevice), "gpu_no_device");
  EXPECT_EQ(StatusOf(cudaErrorInsufficientDriver), "gpu_driver_too_old");
  EXPECT_EQ(StatusOf(cudaErrorMemoryAllocation), "gpu_out_of_memory");
  EXPECT_EQ(StatusOf(cudaErrorECCUncorrectable), "gpu_device_lost");
  EXPECT_EQ(StatusOf(cudaErrorIllegalAddress), "gpu_kernel_failed");
  EXPECT_EQ(StatusOf(cudaErrorLaunchFailure), "gpu_kernel_failed");
  EXPECT_EQ(StatusOf(cudaErrorInvalidValue), "gpu_error");
}

TEST(GpuStatus, OnlyALostContextIsFatal) {
  EXPECT_TRUE(Thrown(cudaErrorLaunchFailure).fatal());
  EXPECT_TRUE(Thrown(cudaErrorECCUncorrectable).fatal());
  EXPECT_FALSE(Thrown(cudaErrorMemoryAllocation).fatal());
  EXPECT_FALSE(Thrown(cudaErrorInvalidValue).fatal());
  EXPECT_THAT(Thrown(cudaErrorMemoryAllocation).what(),
              HasSubstr("gpu_out_of_memory: testing: out of memory (cudaErrorMemoryAllocation)"));
  EXPECT_NO_THROW(CheckGpu(cudaSuccess, "testing"));
}

TEST(GpuStatus, TwoModelsAreRefused) {
  EXPECT_NO_THROW(RequireOneModel({}));
  EXPECT_NO_THROW(RequireOneModel({"NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3"}));
  try {
    RequireOneModel({"NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3", "NVIDIA A10"});
    FAIL();
  } catch (const GpuError& error) {
    EXPECT_EQ(error.status(), "gpu_models_differ");
    EXPECT_THAT(error.what(), HasSubstr("NVIDIA H100 80GB HBM3 and NVIDIA A10"));
    EXPECT_FALSE(error.fatal());
  }
}

}  // namespace
}  // namespace perfgate::bench
