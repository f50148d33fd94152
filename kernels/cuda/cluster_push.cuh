// SPDX-License-Identifier: Apache-2.0
// cluster_push.cuh: values that the blocks of a cluster store into each other's shared memory,
// where a barrier in that memory counts the bytes that have come.
//
// A barrier of the cluster with release costs a fence of the device (MEMBAR.ALL.GPU), as long as a
// trip to memory; here who waits for bytes waits for nothing else, and who sends them not at all.
//
// Order: ExpectPushes by one thread, ArriveAtCluster by all, WaitForCluster before the first Push,
// WaitForPushes by all who read. Who gets no bytes may exit early; who gets some must wait for
// them.
#pragma once

#include <cstdint>

namespace kernels::cuda {

// `barrier`: shared address of 8 bytes; `bytes`: what all blocks together push to this one, below
// 2^20.
__device__ __forceinline__ void ExpectPushes(std::uint32_t barrier, int bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
#endif
}

// 8 bytes to block `rank` of the cluster, at what are `to` and `barrier` here.
__device__ __forceinline__ void Push(std::uint32_t to, std::uint32_t barrier, int rank, float a,
                                     float b) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{ .reg .b32 there, counter;\n"
      "mapa.shared::cluster.u32 there, %0, %2;\n"
      "mapa.shared::cluster.u32 counter, %1, %2;\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [there], {%3, %4}, [counter];\n"
      "}" ::"r"(to),
      "r"(barrier), "r"(rank), "f"(a), "f"(b)
      : "memory");
#endif
}

__device__ __forceinline__ void WaitForPushes(std::uint32_t barrier) {
#if __CUDA_ARCH__ >= 900
  std::uint32_t done;
  do {
    asm volatile(
        "{ .reg .pred complete;\n"
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 complete, [%1], 0;\n"
        "selp.u32 %0, 1, 0, complete; }"
        : "=r"(done)
        : "r"(barrier)
        : "memory");
  } while (done == 0);
#endif
}

}  // namespace kernels::cuda
