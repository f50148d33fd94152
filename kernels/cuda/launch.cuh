// SPDX-License-Identifier: Apache-2.0
// launch.cuh: how this library starts its kernels.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "kernels/cuda/check_cuda.h"
#include "kernels/row.h"

namespace kernels::cuda {

struct Grid {
  std::int64_t blocks = 1;
  int threads = 256;
  int cluster = 1;  // blocks that share their shared memory; above 1 on sm_90 and later
};

constexpr std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Queues kernel(args...). `name` is for the message when it cannot be launched.
template <class... Parameters, class... Args>
void Launch(std::string_view name, const Context& context, const Grid& grid,
            void (*kernel)(Parameters...), Args&&... args) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid.blocks));
  config.blockDim = dim3(static_cast<unsigned>(grid.threads));
  config.stream = context.stream;
  cudaLaunchAttribute attribute{};
  if (grid.cluster > 1) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(grid.cluster);
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
  CheckCuda(
      cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Args>(args))...),
      name);
}

}  // namespace kernels::cuda
