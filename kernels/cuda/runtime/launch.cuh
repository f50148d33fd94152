// SPDX-License-Identifier: Apache-2.0
// launch.cuh: how this library starts its kernels.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/row.h"

namespace kernels::cuda {

struct Grid {
  std::int64_t blocks = 1;
  int threads = 256;
  int shared = 0;   // bytes of dynamic shared memory
  int cluster = 1;  // blocks that share their shared memory; above 1 on sm_90 and later
  // The kernel begins with LetNextStart and WaitForPrevious: its blocks may be brought up while the
  // kernel before it in the stream still runs.
  bool early = false;
  int blocks_y = 1, blocks_z = 1;
  bool together = false;  // all blocks are up at once, so that they may wait for each other
  // The most that any launch of this kernel has for `shared`. The limit that a launch sets is the
  // kernel's, not its own: with one value, threads that launch it with other sizes do not collide.
  int most_shared = 0;
};

// Both come before a kernel reads or writes any global memory. The first lets the next kernel in
// the stream be brought up as soon as all blocks of this one are; the second waits until the kernel
// before is done and what it wrote is visible. The next one in turn waits for this one, so results
// and order are those of launches one after the other; only the gap between them goes.
__device__ __forceinline__ void LetNextStart() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
__device__ __forceinline__ void WaitForPrevious() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Fetches bytes into the second-level cache; by one thread for all. Allowed between the two: that
// cache is where all of the device sees one value, so whatever the kernel before still writes there
// is what a later load gets.
__device__ __forceinline__ void FetchAhead(const void* data, std::int64_t bytes) {
#if __CUDA_ARCH__ >= 900
  const auto begin = (__cvta_generic_to_global(data) + 15) / 16 * 16;
  const auto end = (__cvta_generic_to_global(data) + static_cast<std::size_t>(bytes)) / 16 * 16;
  if (end > begin) {
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin),
                 "r"(static_cast<unsigned>(end - begin)));
  }
#endif
}

// Of the 48 KiB that a launch gets unasked a kernel's static shared memory takes its part.
inline constexpr int kSharedWithoutAsking = 32 * 1024;
inline constexpr int kPortableCluster = 8;  // what every device with clusters takes

constexpr std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Whether all blocks are up at once, and so can fetch ahead while the kernel before still runs.
inline bool IsOneWave(const Grid& grid, const Context& context) {
  return grid.blocks * grid.threads <= std::int64_t{1024} * context.gpu->limits().multiprocessors;
}

// Queues kernel(args...). `name` is for the message when it cannot be launched.
template <class... Parameters, class... Args>
void Launch(std::string_view name, const Context& context, const Grid& grid,
            void (*kernel)(Parameters...), Args&&... args) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid.blocks), static_cast<unsigned>(grid.blocks_y),
                        static_cast<unsigned>(grid.blocks_z));
  config.blockDim = dim3(static_cast<unsigned>(grid.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(grid.shared);
  config.stream = context.stream;
  cudaLaunchAttribute attributes[3] = {};
  config.attrs = attributes;
  if (grid.cluster > 1) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(grid.cluster);
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
  }
  // Before 12.3 such a launch could not be captured into a graph.
  if (CUDART_VERSION >= 12030 && grid.early && context.gpu->limits().sm >= 90) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  if (grid.together) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  }
  if (grid.shared > kSharedWithoutAsking) {
    CheckCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   grid.shared > grid.most_shared ? grid.shared : grid.most_shared),
              name);
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
