// SPDX-License-Identifier: Apache-2.0
// convert.h: bf16 to f32 and back, exact in every bit (bf16.h has the rules)
//
// x: [count] of shape.dtype; y: [count] of the other dtype. count >= 0. No overlap.
// Moves 6 count bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct ConvertShape {
  std::int64_t count = 0;
  DType dtype = DType::kF32;  // of the source
};

struct ConvertArgs {
  using Shape = ConvertShape;
  Shape shape;
  ConstView x;
  View y;
};

void Check(const ConvertArgs& args);
std::string_view ConvertSupports(const ConvertShape& shape);
void ConvertReference(const ConvertArgs& args, const Context& context);
void ConvertVector(const ConvertArgs& args, const Context& context);

template <>
struct Table<ConvertArgs> {
  static constexpr std::string_view op = "convert";
  static constexpr std::array rows = {
      Row<ConvertArgs>{"reference",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kExact,
                       &ConvertSupports,
                       &ConvertReference},
      Row<ConvertArgs>{"vector",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kExact,
                       &ConvertSupports,
                       &ConvertVector},
  };
};

}  // namespace kernels
