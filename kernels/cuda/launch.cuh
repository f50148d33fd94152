// SPDX-License-Identifier: Apache-2.0
// launch.cuh: how this library starts its kernels.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/gpu.h"
#include "kernels/row.h"

namespace kernels::cuda {

struct Grid {
  std::int64_t blocks = 1;
  int threads = 256;
  int cluster = 1;  // blocks that share their shared memory; above 1 on sm_90 and later
  // The kernel begins with StartEarly: its blocks may be brought up while the kernel before it in
  // the stream still runs.
  bool early = false;
};

// To come before a kernel reads or writes any global memory. Lets the next kernel in the stream
// be brought up as soon as all blocks of this one are, then waits until the kernel before is done
// and what it wrote is visible. The next one in turn waits for this one, so results and order are
// those of launches one after the other; only the gap between them goes.
__device__ __forceinline__ void StartEarly() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

inline constexpr int kPortableCluster = 8;  // what every device with clusters takes

constexpr std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Queues kernel(args...). `name` is for the message when it cannot be launched.
template <class... Parameters, class... Args>
void Launch(std::string_view name, const Context& context, const Grid& grid,
            void (*kernel)(Parameters...), Args&&... args) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid.blocks));
  config.blockDim = dim3(static_cast<unsigned>(grid.threads));
  config.stream = context.stream;
  cudaLaunchAttribute attributes[2] = {};
  config.attrs = attributes;
  if (grid.cluster > 1) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(grid.cluster);
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
  }
  if (grid.early && context.gpu->limits().sm >= 90) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  if (grid.cluster > kPortableCluster) {
    CheckCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
              name);
  }
  CheckCuda(
      cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Args>(args))...),
      name);
}

}  // namespace kernels::cuda
