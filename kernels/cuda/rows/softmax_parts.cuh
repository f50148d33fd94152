// SPDX-License-Identifier: Apache-2.0
// softmax_parts.cuh: exponentials, and maxima with the sums relative to them over warps, blocks and
// clusters, in a fixed order
#pragma once

#include "kernels/cuda/runtime/reduce.cuh"
#include "kernels/cuda/runtime/vec.cuh"

namespace kernels::cuda::softmax {

__device__ __forceinline__ float MinusInfinity() {
  return __int_as_float(static_cast<int>(0xff800000U));
}

// e^d for the row's dtype, up to a factor that the sum has too. f32: within 1 ulp. bf16: 2^24 e^d
// to 2^-19, three instructions; the factor keeps what bf16 can show out of the range of subnormals,
// which the fast instruction flushes.
template <class T>
__device__ __forceinline__ float Exponential(float d) {
  if constexpr (std::is_same_v<T, float>) {
    return expf(d);
  } else {
    float e;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(fmaf(d, 1.44269504F, 24.0F)));
    return e;
  }
}

// A maximum and the sum of exponentials relative to it (Milakov, Gimelshein 2018); where the
// maximum is -inf, relative to 0.
struct Running {
  float max, sum;
};

__device__ __forceinline__ float Base(float max) { return max == MinusInfinity() ? 0.0F : max; }

// What a sum relative to `from` is multiplied with to be relative to `to`, which is not less.
__device__ __forceinline__ float Rescale(float from, float to) {
  return from == MinusInfinity() ? 1.0F : expf(from - to);
}

// Never NaN. As integers, so that the warp has an instruction for it: the bits of negative numbers
// are in reverse order.
__device__ __forceinline__ float MaxOverWarp(float value) {
  const auto ordered = [](int bits) { return bits ^ (bits >> 31 & 0x7fffffff); };
  return __int_as_float(ordered(__reduce_max_sync(0xffffffffU, ordered(__float_as_int(value)))));
}

__device__ __forceinline__ Running MergeOverWarp(const Running& mine) {
  const float max = MaxOverWarp(mine.max);
  return {max, OverWarp(mine.sum * Rescale(mine.max, max), Plus{})};
}

// `warp` is the same in all lanes of a warp.
__device__ __forceinline__ Running MergeOverBlock(const Running& warp, Running (&scratch)[kWarp]) {
  const unsigned lane = threadIdx.x % kWarp;
  if (blockDim.x == kWarp) {
    return warp;
  }
  if (lane == 0) {
    scratch[threadIdx.x / kWarp] = warp;
  }
  __syncthreads();
  return MergeOverWarp(lane < blockDim.x / kWarp ? scratch[lane] : Running{MinusInfinity(), 0});
}

__device__ __forceinline__ Running MergeOverCluster(const Running& block,
                                                    Running (&slots)[kMaxCluster]) {
#if __CUDA_ARCH__ >= 900
  const auto cluster = cooperative_groups::this_cluster();
  const unsigned blocks = cluster.num_blocks();
  if (threadIdx.x < blocks) {
    *cluster.map_shared_rank(&slots[cluster.block_rank()], threadIdx.x) = block;
  }
  cluster.sync();
  const unsigned lane = threadIdx.x % kWarp;
  return MergeOverWarp(lane < blocks ? slots[lane] : Running{MinusInfinity(), 0});
#else
  return block;
#endif
}

}  // namespace kernels::cuda::softmax
