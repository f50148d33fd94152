// SPDX-License-Identifier: Apache-2.0
// mxfp4.cuh: decoding of MXFP4 codes and scales, and x as the tensor cores take it.
//
// A code's exponent and fraction, put under the sign into the upper bits of a float16's fraction
// and the lower bits of its exponent, are its value times 2^-14, subnormals and all. Two codes per
// register take three or four operations.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

namespace kernels::cuda {

// Of the eight codes of a word: pairs[i] holds codes i (low half) and i + 4 as float16 times 2^-14.
// Four codes at a time become the upper bytes of their float16, which then go to their places: 11
// operations per word, where pair by pair takes 15.
__device__ __forceinline__ void DecodeCodes(std::uint32_t word, std::uint32_t (&pairs)[4]) {
  constexpr std::uint32_t kSign = 0x80808080U, kRest = 0x0e0e0e0eU, kUpper = 0xff00ff00U;
  const std::uint32_t even = ((word << 4) & kSign) | ((word << 1) & kRest);
  const std::uint32_t odd = (word & kSign) | ((word >> 3) & kRest);
  pairs[0] = __byte_perm(even, 0, 0x2404);
  pairs[1] = __byte_perm(odd, 0, 0x2404);
  pairs[2] = even & kUpper;
  pairs[3] = odd & kUpper;
}

// 2^(scale - 127), the subnormal 2^-127 and NaN included.
__device__ __forceinline__ float DecodeScale(std::uint32_t scale) {
  const std::uint32_t bits = scale == 0 ? 0x00400000U : scale << 23;
  return __uint_as_float(scale == 255 ? 0x7fffffffU : bits);
}

// sum times a scale. One of 255 is infinity at first, whose product with 0 is NaN.
__device__ __forceinline__ float TimesScale(float sum, std::uint32_t scale, float to) {
  const float power = __uint_as_float(max(scale << 23, 0x00400000U));
  return fmaf(fmaf(power, 0.0F, sum), power, to);
}

// x in shared memory, per block of 32 elements: 128 bytes with an upper and a lower float16 of each
// element of x times a power of two, and that power's inverse times 2^14 in `factors`. Of each
// half's four 16-byte units, unit u is for the u-th word of codes; it lies at u ^ (block % 4), so
// that four neighbouring blocks use different banks.
__device__ __forceinline__ int XOffset(int block, int piece, int unit) {
  return block * 128 + piece * 64 + ((unit ^ (block & 3)) * 16);
}

// Eight elements of x, those of 16 bytes of a block's codes; zeros for blocks past the last.
__device__ __forceinline__ void LoadEight(const float* x, int task, int blocks, bool aligned,
                                          float (&v)[8]) {
#pragma unroll
  for (float& value : v) {
    value = 0;
  }
  if (task / 4 >= blocks) {
    return;
  }
  const float* const from = x + task * 8;
  if (aligned) {
    const float4 a = __ldg(reinterpret_cast<const float4*>(from));
    const float4 b = __ldg(reinterpret_cast<const float4*>(from) + 1);
    v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w;
    v[4] = b.x, v[5] = b.y, v[6] = b.z, v[7] = b.w;
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      v[i] = __ldg(from + i);
    }
  }
}

// Four neighbouring lanes have a block between them; whole warps come here together.
__device__ __forceinline__ void ShareEight(const float (&v)[8], int task, std::byte* shared_x,
                                           float* factors) {
  const int block = task / 4;
  const int unit = task % 4;
  // The largest finite magnitude; fmaxf leaves NaN out.
  const float infinity = __int_as_float(0x7f800000);
  float magnitude = 0;
#pragma unroll
  for (const float value : v) {
    magnitude = fmaxf(magnitude, fabsf(value));
  }
  if (magnitude == infinity) {
    magnitude = 0;
#pragma unroll
    for (const float value : v) {
      magnitude = fabsf(value) < infinity ? fmaxf(magnitude, fabsf(value)) : magnitude;
    }
  }
  magnitude = fmaxf(magnitude, __shfl_xor_sync(0xffffffffU, magnitude, 1));
  magnitude = fmaxf(magnitude, __shfl_xor_sync(0xffffffffU, magnitude, 2));
  // x times 2^shift is below 2^15; of tiny blocks more would not fit a float.
  const int exponent = static_cast<int>(__float_as_uint(magnitude) >> 23) - 127;
  const int shift = min(14 - exponent, 126);
  const float scale = __uint_as_float(static_cast<std::uint32_t>(shift + 127) << 23);
  std::uint32_t upper[4], lower[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 value = make_float2(v[i] * scale, v[i + 4] * scale);
    const __half2 high = __floats2half2_rn(value.x, value.y);
    const float2 back = __half22float2(high);
    // NaN where the value is not finite.
    const float2 rest = make_float2(value.x - back.x, value.y - back.y);
    const __half2 low =
        __floats2half2_rn(isnan(rest.x) ? 0.0F : rest.x, isnan(rest.y) ? 0.0F : rest.y);
    upper[i] = *reinterpret_cast<const std::uint32_t*>(&high);
    lower[i] = *reinterpret_cast<const std::uint32_t*>(&low);
  }
  *reinterpret_cast<uint4*>(shared_x + XOffset(block, 0, unit)) = {upper[0], upper[1], upper[2],
                                                                   upper[3]};
  *reinterpret_cast<uint4*>(shared_x + XOffset(block, 1, unit)) = {lower[0], lower[1], lower[2],
                                                                   lower[3]};
  if (unit == 0) {
    factors[block] = __uint_as_float(static_cast<std::uint32_t>(14 - shift + 127) << 23);
  }
}

// Fills blocks [0, padded) from x, zeros from `blocks` on; padded is a multiple of 16. The first
// kThreads threads of the block call it, whole warps; a barrier of theirs comes after it.
template <int kThreads>
__device__ __forceinline__ void ShareHalves(const float* x, int blocks, int padded,
                                            std::byte* shared_x, float* factors) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(x) % 16 == 0;
  const int tasks = 4 * padded;
  for (int task = static_cast<int>(threadIdx.x); task < tasks; task += 2 * kThreads) {
    float first[8], second[8];
    LoadEight(x, task, blocks, aligned, first);
    LoadEight(x, task + kThreads, blocks, aligned, second);  // zeros past the end
    ShareEight(first, task, shared_x, factors);
    if (task + kThreads < tasks) {
      ShareEight(second, task + kThreads, shared_x, factors);
    }
  }
}

}  // namespace kernels::cuda
