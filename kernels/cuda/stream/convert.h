// SPDX-License-Identifier: Apache-2.0
// convert.h: device:cuda implementations of kernels/convert.h.
#pragma once

#include <array>

#include "kernels/convert.h"
#include "kernels/cuda/rows.h"

namespace kernels::cuda {

void ConvertReference(const ConvertArgs& args, const Context& context);
void ConvertVector(const ConvertArgs& args, const Context& context);

template <>
struct Rows<ConvertArgs> {
  static constexpr std::array rows = {
      Row<ConvertArgs>{"reference",
                       Device::kCuda,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3},
                       Numerics::kExact,
                       &ConvertSupports,
                       &ConvertReference},
      Row<ConvertArgs>{"vector",
                       Device::kCuda,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3},
                       Numerics::kExact,
                       &ConvertSupports,
                       &ConvertVector},
  };
};

}  // namespace kernels::cuda
