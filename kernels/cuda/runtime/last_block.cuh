// SPDX-License-Identifier: Apache-2.0
// last_block.cuh: which of several blocks finishes last, and so may read what the others wrote.
#pragma once

#include <cstdint>

namespace kernels::cuda {

// True in every thread of the last of `blocks` blocks to call it on one counter, which is 0 before
// and again afterwards. What any thread of those blocks wrote to global memory before the call is
// then visible to it, read by ordinary loads (not ld.global.nc). All threads must call it.
//
// One thread fences for its block: the barrier orders the others' writes before its fence, and
// fences are cumulative.
__device__ __forceinline__ bool IsLastBlock(std::uint32_t* counter, unsigned blocks) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    // Wraps to 0 at the last arrival.
    last = atomicInc(counter, blocks - 1) == blocks - 1;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  }
  __syncthreads();
  return last;
}

}  // namespace kernels::cuda
