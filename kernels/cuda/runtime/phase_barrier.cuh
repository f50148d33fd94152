// SPDX-License-Identifier: Apache-2.0
// phase_barrier.cuh: an mbarrier in shared memory, whose phase ends with its last arrival
//
// Warps that share a result meet at one of these rather than at a named barrier (bar.sync with a
// count): arriving and waiting are two things, so a warp that only gives need not stop, and
// compute-sanitizer's racecheck follows it, where it takes what a named barrier of a part of the
// block orders for a race.
#pragma once

#include <cstdint>

namespace kernels::cuda {

using PhaseBarrier = std::uint64_t;

__device__ __forceinline__ unsigned AddressOf(const PhaseBarrier* barrier) {
  return static_cast<unsigned>(__cvta_generic_to_shared(barrier));
}

// By one thread; others may use it behind a barrier of the block.
__device__ __forceinline__ void InitPhases(PhaseBarrier* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AddressOf(barrier)), "r"(arrivals)
               : "memory");
}

// What this thread wrote before is seen by whoever waits for the phase.
__device__ __forceinline__ void ArriveAtPhase(PhaseBarrier* barrier) {
  asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(
                   AddressOf(barrier))
               : "memory");
}

// Waits for the end of the phase of this parity: 0 for the first, 1 for the second, 0 for the
// third.
__device__ __forceinline__ void AwaitPhase(const PhaseBarrier* barrier, unsigned parity) {
  unsigned done = 0;
  while (done == 0) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(AddressOf(barrier)), "r"(parity)
        : "memory");
#else
    asm volatile(
        "{\n.reg .pred p;\n"
        "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(AddressOf(barrier)), "r"(parity)
        : "memory");
#endif
  }
}

}  // namespace kernels::cuda
