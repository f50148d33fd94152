// SPDX-License-Identifier: Apache-2.0
// top_k_reference.cuh: the next largest key of a row, found by looking at all of it.
#pragma once

#include "kernels/cuda/select/order.cuh"

namespace kernels::cuda {

inline constexpr int kReferenceThreads = 256;

// The largest key below `limit`, in every thread of the block.
static __device__ std::uint64_t LargestKeyBelow(std::uint64_t limit, const float* x,
                                                std::int64_t cols) {
  __shared__ std::uint64_t best[kReferenceThreads];
  std::uint64_t mine = 0;
  for (std::int64_t i = threadIdx.x; i < cols; i += kReferenceThreads) {
    const std::uint64_t key = KeyOf(OrderOf(x[i]), static_cast<std::uint32_t>(i));
    if (key < limit && key > mine) {
      mine = key;
    }
  }
  best[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = kReferenceThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half && best[threadIdx.x + half] > best[threadIdx.x]) {
      best[threadIdx.x] = best[threadIdx.x + half];
    }
    __syncthreads();
  }
  const std::uint64_t largest = best[0];
  __syncthreads();
  return largest;
}

}  // namespace kernels::cuda
