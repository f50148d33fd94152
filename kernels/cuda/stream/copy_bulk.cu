// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/runtime/copy_bulk.cuh"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/vec.cuh"
#include "kernels/cuda/stream/stream.h"

namespace kernels::cuda {
namespace {

constexpr int kThreads = 32;
constexpr int kChunk = 16384;  // bytes of one transfer
constexpr int kStages = 12;    // chunks in shared memory
[[maybe_unused]] constexpr int kStoresOpen =
    4;  // of them on their way out; the others are on their way in

#if __CUDA_ARCH__ >= 900

__device__ __forceinline__ void BeginStore(std::byte* to, const void* from, unsigned bytes) {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(to)),
               "r"(SharedAddress(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

#endif

// One thread per block moves every gridDim-th chunk; the other threads only copy the bytes after
// the last 16.
__global__ void __launch_bounds__(kThreads)
    BulkKernel(std::int64_t bytes, const std::byte* x, std::byte* y) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) std::byte stages[];
  __shared__ PhaseBarrier arrived[kStages];
  LetNextStart();
  WaitForPrevious();
  const std::int64_t whole = bytes / 16 * 16;
  if (blockIdx.x == 0 && whole + threadIdx.x < bytes) {
    y[whole + threadIdx.x] = x[whole + threadIdx.x];
  }
  if (threadIdx.x != 0) {
    return;
  }
  for (PhaseBarrier& barrier : arrived) {
    InitPhases(&barrier, 1);
  }
  FenceInitForCopies();
  const auto begin = [](std::int64_t i) {
    return (blockIdx.x + i * static_cast<std::int64_t>(gridDim.x)) * kChunk;
  };
  const auto size = [&](std::int64_t i) {
    return static_cast<unsigned>(min(whole - begin(i), static_cast<std::int64_t>(kChunk)));
  };
  const auto load = [&](std::int64_t i) {
    if (begin(i) < whole) {
      ExpectBytes(&arrived[i % kStages], size(i));
      CopyBulkAsync(stages + i % kStages * kChunk, x + begin(i), size(i), &arrived[i % kStages]);
    }
  };
  for (int i = 0; i < kStages; ++i) {
    load(i);
  }
  for (std::int64_t i = 0; begin(i) < whole; ++i) {
    AwaitPhase(&arrived[i % kStages], static_cast<unsigned>(i / kStages % 2));
    BeginStore(y + begin(i), stages + i % kStages * kChunk, size(i));
    // All but the latest stores have been read out of their stages.
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kStoresOpen - 1) : "memory");
    if (i >= kStoresOpen - 1) {
      load(i - (kStoresOpen - 1) + kStages);
    }
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

}  // namespace

void CopyBulk(const CopyArgs& args, const Context& context) {
  const std::int64_t bytes =
      args.shape.count * static_cast<std::int64_t>(ByteSize(args.shape.dtype));
  if (bytes == 0) {
    return;
  }
  if (!Aligned({args.x.data, args.y.data})) {
    return cuda::CopyVector(args, context);
  }
  const Grid grid{.blocks = std::min<std::int64_t>(CeilDiv(bytes, kChunk),
                                                   context.gpu->limits().multiprocessors),
                  .threads = kThreads,
                  .shared = kStages * kChunk,
                  .early = true};
  Launch("copy/impl:bulk", context, grid, &BulkKernel, bytes,
         static_cast<const std::byte*>(args.x.data), static_cast<std::byte*>(args.y.data));
}

}  // namespace kernels::cuda
