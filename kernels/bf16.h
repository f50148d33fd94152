// SPDX-License-Identifier: Apache-2.0
// bf16.h: scalar conversions to and from bfloat16, exact in every bit.
//
// Rounding is to nearest, ties to even. A NaN stays a NaN of the same sign: its upper 7 fraction
// bits are kept and the quiet bit is set, so a payload in the lower half cannot round to infinity.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/round_to_odd.h"
#include "kernels/types.h"

namespace kernels {

constexpr float ToFloat(Bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

constexpr Bf16 ToBf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) {
    return {static_cast<std::uint16_t>((bits >> 16) | 0x40U)};
  }
  // Adding half an ulp, less one where the kept part is even, carries exactly when RNE rounds up.
  return {static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16)};
}

inline Bf16 ToBf16(double value) { return ToBf16(RoundToOdd(value)); }

}  // namespace kernels
