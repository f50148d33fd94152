// SPDX-License-Identifier: Apache-2.0
// round_to_odd.h: a float64 cut to float32 such that a further rounding is the only one
//
// Rounding to the nearest float32 and then to a narrower type would round twice. A float32 that is
// cut off, and made odd when anything was lost, keeps enough for the second rounding to be the one
// of the float64 (Boldo and Melquiond, 2005), as long as the narrower type has at least two bits
// less.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace kernels {

inline float RoundToOdd(double value) {
  const auto nearest = static_cast<float>(value);
  if (std::isnan(value) || std::isinf(nearest) || static_cast<double>(nearest) == value) {
    return nearest;
  }
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::abs(static_cast<double>(nearest)) > std::abs(value)) {
    --bits;
  }
  return std::bit_cast<float>(bits | 1U);
}

}  // namespace kernels
