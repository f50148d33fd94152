// SPDX-License-Identifier: Apache-2.0
// element.cuh: element types on the device and the choice of a kernel by dtype.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include "kernels/types.h"

namespace kernels::cuda {

template <class T>
__device__ __forceinline__ float ToFloat(T value) {
  return static_cast<float>(value);
}

// Rounds to nearest, ties to even.
template <class T>
__device__ __forceinline__ T FromFloat(float value);
template <>
__device__ __forceinline__ float FromFloat<float>(float value) {
  return value;
}
template <>
__device__ __forceinline__ __nv_bfloat16 FromFloat<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}
template <>
__device__ __forceinline__ __half FromFloat<__half>(float value) {
  return __float2half_rn(value);
}

template <class T>
struct Tag {
  using Type = T;
};

// f(Tag<float>{}) or f(Tag<__nv_bfloat16>{}); the row's DTypes exclude the others.
template <class F>
void ForFloatOrBf16(DType dtype, F&& f) {
  if (dtype == DType::kF32) {
    f(Tag<float>{});
  } else {
    f(Tag<__nv_bfloat16>{});
  }
}

}  // namespace kernels::cuda
