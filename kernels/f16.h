// SPDX-License-Identifier: Apache-2.0
// f16.h: scalar conversions to and from IEEE binary16, exact in every bit.
//
// Rounding is to nearest, ties to even, into the subnormals (below 2^-14, steps of 2^-24) and, from
// 65520 on, to infinity. A NaN stays a NaN of the same sign with the upper fraction bits that fit;
// both directions make it quiet.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/round_to_odd.h"

namespace kernels {

// 1 sign, 5 exponent, 10 fraction bits.
struct F16 {
  std::uint16_t bits;
};

constexpr float ToFloat(F16 value) {
  const auto sign = static_cast<std::uint32_t>(value.bits & 0x8000U) << 16;
  const std::uint32_t magnitude = value.bits & 0x7fffU;
  if (magnitude > 0x7c00U) {
    return std::bit_cast<float>(sign | 0x7fc00000U | (magnitude & 0x3ffU) << 13);
  }
  if (magnitude == 0x7c00U) {
    return std::bit_cast<float>(sign | 0x7f800000U);
  }
  if (magnitude < 0x400U) {
    const float size = static_cast<float>(magnitude) * 0x1p-24F;
    return sign != 0 ? -size : size;
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + ((127U - 15U) << 23)));
}

constexpr F16 ToF16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000U) {
    result = 0x7e00U | ((magnitude >> 13) & 0x3ffU);
  } else if (magnitude >= 0x47800000U) {  // 65536
    result = 0x7c00U;
  } else if (magnitude >= 0x38800000U) {  // 2^-14
    // Half an ulp, less one where the kept part is even, carries exactly when RNE rounds up.
    const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
    result = (rounded - ((127U - 15U) << 23)) >> 13;
  } else {
    // Beside 0.5, whose last place is 2^-24, the sum's own rounding is the one wanted.
    const float sum = std::bit_cast<float>(magnitude) + 0.5F;
    result = std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0.5F);
  }
  return {static_cast<std::uint16_t>(sign | result)};
}

inline F16 ToF16(double value) { return ToF16(RoundToOdd(value)); }

}  // namespace kernels
