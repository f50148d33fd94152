// SPDX-License-Identifier: Apache-2.0
// element.h: one element of a view as float64, and back with one rounding; for the references.
#pragma once

#include <cstddef>

#include "kernels/bf16.h"
#include "kernels/types.h"

namespace kernels {

inline double At(ConstView view, std::int64_t i) {
  return view.dtype == DType::kF32
             ? static_cast<double>(static_cast<const float*>(view.data)[i])
             : static_cast<double>(ToFloat(static_cast<const Bf16*>(view.data)[i]));
}

inline void Put(View view, std::int64_t i, double value) {
  if (view.dtype == DType::kF32) {
    static_cast<float*>(view.data)[i] = static_cast<float>(value);
  } else {
    static_cast<Bf16*>(view.data)[i] = ToBf16(value);
  }
}

}  // namespace kernels
