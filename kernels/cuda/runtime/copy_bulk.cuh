// SPDX-License-Identifier: Apache-2.0
// copy_bulk.cuh: copies of many bytes by one thread to shared memory, which end at a PhaseBarrier;
// from sm_90 on.
#pragma once

#include <cstdint>

#include "kernels/cuda/runtime/copy_async.cuh"
#include "kernels/cuda/runtime/phase_barrier.cuh"

namespace kernels::cuda {

#if __CUDA_ARCH__ >= 900

// After InitPhases, by the same thread, for barriers that copies arrive at.
__device__ __forceinline__ void FenceInitForCopies() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Arrives, and has the phase wait for so many bytes of copies besides.
__device__ __forceinline__ void ExpectBytes(PhaseBarrier* arrived, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AddressOf(arrived)),
               "r"(bytes)
               : "memory");
}

// Both addresses on 16 bytes, and so many more.
__device__ __forceinline__ void CopyBulkAsync(void* to, const void* from, unsigned bytes,
                                              PhaseBarrier* arrived) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(SharedAddress(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(AddressOf(arrived))
      : "memory");
}

#endif

}  // namespace kernels::cuda
