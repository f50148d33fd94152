// SPDX-License-Identifier: Apache-2.0
// launch_cluster.cuh: a launch in thread-block clusters, which sm_90 and later have. A cluster size
// in the kernel's attributes would not compile for earlier ones.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/check_cuda.h"

namespace kernels::cuda {

// `grid` must be a multiple of `blocks_per_cluster`, which may be up to 8.
template <class... Params, class... Values>
void LaunchCluster(void (*kernel)(Params...), unsigned grid, unsigned threads,
                   unsigned blocks_per_cluster, std::size_t shared_bytes, cudaStream_t stream,
                   Values&&... values) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = blocks_per_cluster;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CheckCuda(cudaLaunchKernelEx(&config, kernel, static_cast<Params>(values)...),
            "cudaLaunchKernelEx");
}

}  // namespace kernels::cuda
