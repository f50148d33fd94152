// SPDX-License-Identifier: Apache-2.0
// convert_bits.cuh: the rules of bf16.h, f16.h and f8.h on bits, for any device. The hardware's
// instructions agree on numbers, but each has a NaN of its own.
#pragma once

#include "kernels/cuda/runtime/element.cuh"

namespace kernels::cuda {

__device__ __forceinline__ float Widen(float value) { return value; }

__device__ __forceinline__ float Widen(__nv_bfloat16 value) {
  return __uint_as_float(static_cast<std::uint32_t>(__bfloat16_as_ushort(value)) << 16);
}

__device__ __forceinline__ float Widen(__half value) {
  const std::uint32_t bits = __half_as_ushort(value);
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude > 0x7c00U) {
    return __uint_as_float(sign | 0x7fc00000U | (magnitude & 0x3ffU) << 13);
  }
  if (magnitude == 0x7c00U) {
    return __uint_as_float(sign | 0x7f800000U);
  }
  // As the fraction and exponent of a float32 the bits mean 2^-112 of the value.
  return __uint_as_float(sign | __float_as_uint(__uint_as_float(magnitude << 13) * 0x1p112F));
}

__device__ __forceinline__ float Widen(__nv_fp8_e4m3 value) {
  const std::uint32_t bits = value.__x;
  const std::uint32_t sign = (bits & 0x80U) << 24;
  const std::uint32_t magnitude = bits & 0x7fU;
  if (magnitude == 0x7fU) {
    return __uint_as_float(sign | 0x7fc00000U);
  }
  return __uint_as_float(sign | __float_as_uint(__uint_as_float(magnitude << 20) * 0x1p120F));
}

__device__ __forceinline__ void Narrow(float value, float& to) { to = value; }

__device__ __forceinline__ void Narrow(float value, __nv_bfloat16& to) {
  const std::uint32_t bits = __float_as_uint(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
  to = __ushort_as_bfloat16(static_cast<unsigned short>(nan ? (bits >> 16) | 0x40U : rounded));
}

__device__ __forceinline__ void Narrow(float value, __half& to) {
  const std::uint32_t bits = __float_as_uint(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result;
  if (magnitude > 0x7f800000U) {
    result = 0x7e00U | ((magnitude >> 13) & 0x3ffU);
  } else if (magnitude >= 0x47800000U) {
    result = 0x7c00U;
  } else if (magnitude >= 0x38800000U) {
    result = (magnitude + 0xfffU + ((magnitude >> 13) & 1U) - (112U << 23)) >> 13;
  } else {
    result = __float_as_uint(__uint_as_float(magnitude) + 0.5F) - __float_as_uint(0.5F);
  }
  to = __ushort_as_half(static_cast<unsigned short>((bits >> 16 & 0x8000U) | result));
}

__device__ __forceinline__ void Narrow(float value, __nv_fp8_e4m3& to) {
  const std::uint32_t bits = __float_as_uint(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result;
  if (magnitude > __float_as_uint(464.0F)) {
    result = 0x7fU;
  } else if (magnitude >= __float_as_uint(0x1p-6F)) {
    result = (magnitude + 0x7ffffU + ((magnitude >> 20) & 1U) - (120U << 23)) >> 20;
  } else {
    result = __float_as_uint(__uint_as_float(magnitude) + 0x1p14F) - __float_as_uint(0x1p14F);
  }
  to.__x = static_cast<__nv_fp8_storage_t>((bits >> 24 & 0x80U) | result);
}

}  // namespace kernels::cuda
