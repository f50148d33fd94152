// SPDX-License-Identifier: Apache-2.0
// gpu_main.cc: main() of tests that need a GPU: 77 with the reason where there is none.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    std::printf("skipped: %s\n",
                error == cudaSuccess ? "the driver shows no device" : cudaGetErrorString(error));
    return 77;
  }
  return RUN_ALL_TESTS();
}
