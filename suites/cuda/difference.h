// SPDX-License-Identifier: Apache-2.0
// difference.h: two buffers in device memory against each other.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/types.h"

namespace suites {

struct Difference {
  std::uint64_t unequal = 0;  // elements, two NaNs are equal
  std::uint64_t non_finite =
      0;                   // elements of which one is infinite or NaN and the other is not the same
  double relative_l2 = 0;  // of the finite elements: |a - b| / |b|
};

// `a` and `b` must have one dtype and count. Waits for the device.
Difference Compare(kernels::ConstView a, kernels::ConstView b);

// How far two right results of an op may be from each other in this dtype, as relative L2. Both are
// rounded once from float32 sums in different orders: in f32 the sums differ by some 1e-6; in the
// narrow types most elements are equal and some differ by one unit in the last place. Half the
// precision inside shows in each: TF32 in f32 as 3e-4, bf16 sums in bf16 as 3e-3.
double Allowance(kernels::DType dtype);

// Empty where `got` is `want` within Allowance, else in words how far off it is. Bytes (kU8, and
// the integers that travel as bytes) must be equal.
std::string Disagreement(std::string_view name, kernels::ConstView got, kernels::ConstView want);

}  // namespace suites
