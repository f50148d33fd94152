// SPDX-License-Identifier: Apache-2.0
// order.cuh: floats and their columns as integers that compare as argmax.h and top_k.h ask: larger
// is better, NaN below every number, -0 equal to +0, the lower column first on ties.
#pragma once

#include <cstdint>

namespace kernels::cuda {

inline constexpr std::uint32_t kOrderOfNan = 0;
inline constexpr std::uint32_t kOrderOfZero = 0x80000000U;

__device__ __forceinline__ std::uint32_t OrderOf(float value) {
  // Adding +0 turns -0 into +0 and changes nothing else.
  const std::uint32_t bits = __float_as_uint(__fadd_rn(value, 0.0f));
  const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31);
  return value != value ? kOrderOfNan : bits ^ (sign | 0x80000000U);
}

// The float of an order, +0 for both zeros. Of kOrderOfNan it makes a NaN.
__device__ __forceinline__ float FloatOf(std::uint32_t order) {
  return __uint_as_float(order ^ (order >= kOrderOfZero ? 0x80000000U : 0xffffffffU));
}

// A value with its column. Distinct columns give distinct keys, none of them 0.
__device__ __forceinline__ std::uint64_t KeyOf(std::uint32_t order, std::uint32_t column) {
  return (static_cast<std::uint64_t>(order) << 32) | (0xffffffffU - column);
}
__device__ __forceinline__ std::uint32_t OrderOfKey(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32);
}
__device__ __forceinline__ std::int32_t ColumnOfKey(std::uint64_t key) {
  return static_cast<std::int32_t>(0xffffffffU - static_cast<std::uint32_t>(key));
}

__device__ __forceinline__ std::uint64_t WarpMax(std::uint64_t key) {
  const auto order = __reduce_max_sync(0xffffffffU, OrderOfKey(key));
  const auto low = OrderOfKey(key) == order ? static_cast<std::uint32_t>(key) : 0U;
  return (static_cast<std::uint64_t>(order) << 32) | __reduce_max_sync(0xffffffffU, low);
}

}  // namespace kernels::cuda
