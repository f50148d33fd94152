// SPDX-License-Identifier: Apache-2.0
// gpu_main.cc: main() of tests that need a GPU: 77 with the reason where there is none.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "kernels/cuda/runtime/gpu.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string why;
  if (kernels::cuda::GpuCount(&why) == 0) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  return RUN_ALL_TESTS();
}
