// SPDX-License-Identifier: Apache-2.0
// rows.h: where an op's header puts its device:cuda rows.
#pragma once

#include "kernels/row.h"

namespace kernels::cuda {

template <class Args>
struct Rows;  // { static constexpr std::array rows; }

// A row for f32 and bf16 that needs no workspace.
template <class Args>
constexpr Row<Args> FloatRow(std::string_view impl,
                             std::string_view (*supports)(const typename Args::Shape&),
                             void (*launch)(const Args&, const Context&),
                             Numerics numerics = Numerics::kDevice) {
  return {impl,     Device::kCuda, Isa::kGeneric, {DType::kF32, DType::kBf16},
          numerics, supports,      launch};
}

}  // namespace kernels::cuda
