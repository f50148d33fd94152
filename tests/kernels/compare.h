// SPDX-License-Identifier: Apache-2.0
// compare.h: one implementation's outputs against the reference's, element by element, within the
// bounds of the problem.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/element.h"
#include "tests/kernels/problem.h"

namespace kernels::testing {

// One unit in the last place of bf16 at `value`.
inline double UlpBf16(double value) {
  const double magnitude = std::max(std::abs(value), 0x1p-126);
  return std::ldexp(1.0, std::ilogb(magnitude) - 7);
}

// Fails the test where an element is out of bounds. Where all elements are finite f32, *relative_l2
// becomes the largest relative L2 distance seen.
template <class Args>
void CompareOutputs(const Problem<Args>& got, const Problem<Args>& want, double* relative_l2) {
  if (got.fault) {
    ASSERT_EQ(got.fault(got.args, want.args), "");
  }
  for (std::size_t o = 0; o < got.outputs.size(); ++o) {
    double error2 = 0, norm2 = 0;
    bool finite = true;
    const View a = got.outputs[o].view;
    const View b = want.outputs[o].view;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(a.count); ++i) {
      const double x = At(a, i), y = At(b, i);
      if (!std::isfinite(x) || !std::isfinite(y)) {
        finite = false;
        ASSERT_TRUE(x == y || (std::isnan(x) && std::isnan(y)))
            << got.outputs[o].name << "[" << i << "] = " << x << ", reference " << y;
        continue;
      }
      double bound = want.outputs[o].bound(i);
      if (a.dtype == DType::kBf16 && x != y) {
        bound += UlpBf16(std::max(std::abs(x), std::abs(y)));
      }
      // The reference's own rounding to the dtype.
      bound += a.dtype == DType::kF32 && bound > 0 ? std::abs(y) * 0x1p-24 : 0;
      ASSERT_LE(std::abs(x - y), bound)
          << got.outputs[o].name << "[" << i << "] = " << x << ", reference " << y;
      error2 += (x - y) * (x - y);
      norm2 += y * y;
    }
    if (finite && a.dtype == DType::kF32 && a.count > 0) {
      *relative_l2 = std::max(*relative_l2, std::sqrt(error2 / std::max(norm2, 1e-300)));
    }
  }
}

}  // namespace kernels::testing
