// SPDX-License-Identifier: Apache-2.0
// f8.h: scalar conversions to and from FP8 E4M3 (Open Compute Project, 8-bit floating point
// specification 1.0), exact in every bit.
//
// There is no infinity; 0x7f and 0xff are NaN and 448 is the largest number. Rounding is to
// nearest, ties to even, into the subnormals (below 2^-6, steps of 2^-9). The specification has two
// modes for what does not fit; this is the one without saturation: infinities, and numbers that
// would round to more than 448 (above 464), become NaN. A NaN keeps its sign.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/round_to_odd.h"

namespace kernels {

// 1 sign, 4 exponent, 3 fraction bits.
struct F8E4M3 {
  std::uint8_t bits;
};

constexpr float ToFloat(F8E4M3 value) {
  const auto sign = static_cast<std::uint32_t>(value.bits & 0x80U) << 24;
  const std::uint32_t magnitude = value.bits & 0x7fU;
  if (magnitude == 0x7fU) {
    return std::bit_cast<float>(sign | 0x7fc00000U);
  }
  if (magnitude < 8) {
    const float size = static_cast<float>(magnitude) * 0x1p-9F;
    return sign != 0 ? -size : size;
  }
  return std::bit_cast<float>(sign | ((magnitude << 20) + ((127U - 7U) << 23)));
}

constexpr F8E4M3 ToF8E4M3(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 24) & 0x80U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (magnitude > std::bit_cast<std::uint32_t>(464.0F)) {
    result = 0x7fU;
  } else if (magnitude >= std::bit_cast<std::uint32_t>(0x1p-6F)) {
    const std::uint32_t rounded = magnitude + 0x7ffffU + ((magnitude >> 20) & 1U);
    result = (rounded - ((127U - 7U) << 23)) >> 20;
  } else {
    // Beside 2^14, whose last place is 2^-9, the sum's own rounding is the one wanted.
    const float sum = std::bit_cast<float>(magnitude) + 0x1p14F;
    result = std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0x1p14F);
  }
  return {static_cast<std::uint8_t>(sign | result)};
}

inline F8E4M3 ToF8E4M3(double value) { return ToF8E4M3(RoundToOdd(value)); }

}  // namespace kernels
