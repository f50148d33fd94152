// SPDX-License-Identifier: Apache-2.0
// reduce.cuh: sums and maxima over a warp, a block or a cluster of blocks, in an order that depends
// on nothing but the launch, with the result in every thread.
#pragma once

#include <cooperative_groups.h>

#include "kernels/cuda/runtime/vec.cuh"

namespace kernels::cuda {

inline constexpr int kWarp = 32;
inline constexpr int kMaxThreads = 1024;
inline constexpr int kMaxCluster = 16;

struct Plus {
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return a + b;
  }
};

// NaN is ignored unless both are.
struct Larger {
  __device__ __forceinline__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// Butterfly: both partners compute the same sum, so all lanes end with the same bits.
template <class T, class Op>
__device__ __forceinline__ T OverWarp(T value, Op op) {
#pragma unroll
  for (int apart = kWarp / 2; apart > 0; apart /= 2) {
    value = op(value, __shfl_xor_sync(0xffffffffU, value, apart));
  }
  return value;
}

// Needs blockDim.x to be a multiple of 32. Every call of a kernel needs a scratch of its own.
template <class T, class Op>
__device__ __forceinline__ T OverBlock(T value, T identity, Op op, T (&scratch)[kWarp]) {
  const unsigned warps = blockDim.x / kWarp;
  value = OverWarp(value, op);
  if (warps == 1) {
    return value;
  }
  const unsigned lane = threadIdx.x % kWarp;
  if (lane == 0) {
    scratch[threadIdx.x / kWarp] = value;
  }
  __syncthreads();
  return OverWarp(lane < warps ? scratch[lane] : identity, op);
}

// Says that this block runs, so that others may write to its shared memory; before OverCluster.
__device__ __forceinline__ void ArriveAtCluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}

// Waits for all blocks of the cluster to have arrived.
__device__ __forceinline__ void WaitForCluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

// Combines `value`, the same in all threads of a block, over the blocks of the cluster in order of
// rank. Between ArriveAtCluster and the first call comes WaitForCluster.
template <class T, class Op>
__device__ __forceinline__ T OverCluster(T value, Op op, T (&slots)[kMaxCluster]) {
#if __CUDA_ARCH__ >= 900
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned blocks = cluster.num_blocks();
  if (threadIdx.x < blocks) {
    *cluster.map_shared_rank(&slots[cluster.block_rank()], threadIdx.x) = value;
  }
  cluster.sync();
  T all = slots[0];
  for (unsigned i = 1; i < blocks; ++i) {
    all = op(all, slots[i]);
  }
  return all;
#else
  return value;
#endif
}

}  // namespace kernels::cuda
