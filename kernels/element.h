// SPDX-License-Identifier: Apache-2.0
// element.h: one element of a view as float64, and back with one rounding; for the references.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/bf16.h"
#include "kernels/f16.h"
#include "kernels/f8.h"
#include "kernels/types.h"

namespace kernels {

inline double At(ConstView view, std::int64_t i) {
  switch (view.dtype) {
    case DType::kF32:
      return static_cast<double>(static_cast<const float*>(view.data)[i]);
    case DType::kBf16:
      return static_cast<double>(ToFloat(static_cast<const Bf16*>(view.data)[i]));
    case DType::kF16:
      return static_cast<double>(ToFloat(static_cast<const F16*>(view.data)[i]));
    case DType::kF8E4M3:
      return static_cast<double>(ToFloat(static_cast<const F8E4M3*>(view.data)[i]));
    case DType::kU8:
      break;
  }
  return static_cast<double>(static_cast<const std::uint8_t*>(view.data)[i]);
}

// u8 has no rounding: `value` must be one of its numbers.
inline void Put(View view, std::int64_t i, double value) {
  switch (view.dtype) {
    case DType::kF32:
      static_cast<float*>(view.data)[i] = static_cast<float>(value);
      return;
    case DType::kBf16:
      static_cast<Bf16*>(view.data)[i] = ToBf16(value);
      return;
    case DType::kF16:
      static_cast<F16*>(view.data)[i] = ToF16(value);
      return;
    case DType::kF8E4M3:
      static_cast<F8E4M3*>(view.data)[i] = ToF8E4M3(value);
      return;
    case DType::kU8:
      break;
  }
  static_cast<std::uint8_t*>(view.data)[i] = static_cast<std::uint8_t>(value);
}

}  // namespace kernels
