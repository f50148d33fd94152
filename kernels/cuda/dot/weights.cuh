// SPDX-License-Identifier: Apache-2.0
// weights.cuh: 16 bytes of weights per lane, streamed past the first-level cache.
//
// A chunk is what one warp loads at once: 32 lanes x 16 bytes, lane l holding the l-th 16 bytes.
// Where addresses are not aligned the same elements come one by one into the same lanes, so that
// alignment changes no bit of a result.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace kernels::cuda {

template <class T>
inline constexpr int kPerLoad = 16 / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int kPerChunk = 32 * kPerLoad<T>;

// Read-only for the whole kernel, and not read again. Volatile, so that it stays on its side of
// WaitForPrevious.
__device__ __forceinline__ uint4 LoadOnce(const void* address) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(address));
  return v;
}

// Elements [first, first + kPerLoad) of a row of k, zeros from k on. `kAligned`: the row starts on
// 16 bytes and k is a multiple of kPerLoad.
template <class T, bool kAligned>
__device__ __forceinline__ uint4 LoadWeights(const T* row, std::int64_t first, std::int64_t k) {
  if constexpr (kAligned) {
    return first < k ? LoadOnce(row + first) : uint4{};
  } else {
    std::uint32_t words[4] = {};
#pragma unroll
    for (int j = 0; j < kPerLoad<T>; ++j) {
      if (first + j < k) {
        if constexpr (sizeof(T) == 4) {
          words[j] = reinterpret_cast<const std::uint32_t*>(row)[first + j];
        } else {
          const std::uint32_t bits = reinterpret_cast<const std::uint16_t*>(row)[first + j];
          words[j / 2] |= bits << (16 * (j % 2));
        }
      }
    }
    return {words[0], words[1], words[2], words[3]};
  }
}

// Element j of a load; j must be a constant after unrolling.
template <class T>
__device__ __forceinline__ float Weight(const uint4& v, int j) {
  const std::uint32_t words[4] = {v.x, v.y, v.z, v.w};
  if constexpr (sizeof(T) == 4) {
    return __uint_as_float(words[j]);
  } else {
    const std::uint32_t word = words[j / 2];
    return __uint_as_float(j % 2 == 0 ? word << 16 : word & 0xffff0000U);
  }
}

template <class T>
bool IsAligned(const T* base, std::int64_t k) {
  return reinterpret_cast<std::uintptr_t>(base) % 16 == 0 && k % kPerLoad<T> == 0;
}

// The sum over the lanes of a warp, 16 apart, then 8, 4, 2, 1; the same bits in every lane.
__device__ __forceinline__ float SumOverLanes(float value) {
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) {
    value += __shfl_xor_sync(0xffffffffU, value, apart);
  }
  return value;
}

// The partial sums of one lane.
template <int kCount>
__device__ __forceinline__ float SumOf(const float (&sums)[kCount]) {
  if constexpr (kCount == 4) {
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  } else {
    static_assert(kCount == 8);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }
}

}  // namespace kernels::cuda
