// SPDX-License-Identifier: Apache-2.0
// gemv_mxfp4.h: device:cuda implementations of kernels/gemv_mxfp4.h.
#pragma once

#include <array>

#include "kernels/cuda/rows.h"
#include "kernels/gemv_mxfp4.h"

namespace kernels::cuda {

// One thread per row.
void GemvMxfp4Reference(const GemvMxfp4Args& args, const Context& context);
// Codes become float16 by their bits, products and the sums of a block come from tensor cores.
void GemvMxfp4Vector(const GemvMxfp4Args& args, const Context& context);
// One warp per row, float32 fmas.
void GemvMxfp4Fma(const GemvMxfp4Args& args, const Context& context);

template <>
struct Rows<GemvMxfp4Args> {
  static constexpr std::array rows = {
      Row<GemvMxfp4Args>{"reference",
                         Device::kCuda,
                         Isa::kGeneric,
                         {DType::kU8},
                         Numerics::kDevice,
                         &GemvMxfp4Supports,
                         &GemvMxfp4Reference},
      Row<GemvMxfp4Args>{"vector",
                         Device::kCuda,
                         Isa::kGeneric,
                         {DType::kU8},
                         Numerics::kDevice,
                         &GemvMxfp4Supports,
                         &GemvMxfp4Vector},
      Row<GemvMxfp4Args>{"fma",
                         Device::kCuda,
                         Isa::kGeneric,
                         {DType::kU8},
                         Numerics::kDevice,
                         &GemvMxfp4Supports,
                         &GemvMxfp4Fma},
  };
};

}  // namespace kernels::cuda
