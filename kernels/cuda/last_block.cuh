// SPDX-License-Identifier: Apache-2.0
// last_block.cuh: which of several blocks finishes last, and so may read what the others wrote.
#pragma once

#include <cstdint>

namespace kernels::cuda {

// True in every thread of the last of `blocks` blocks to call it on one counter, which is 0 before
// and again afterwards. What any thread of those blocks wrote to global memory before the call is
// then visible to it, read by ordinary loads (not ld.global.nc). All threads must call it.
__device__ __forceinline__ bool IsLastBlock(std::uint32_t* counter, unsigned blocks) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    // Wraps to 0 at the last arrival.
    last = atomicInc(counter, blocks - 1) == blocks - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

}  // namespace kernels::cuda
