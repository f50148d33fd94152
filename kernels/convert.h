// SPDX-License-Identifier: Apache-2.0
// convert.h: numbers of one dtype into another, exact in every bit (bf16.h, f16.h, f8.h)
//
// x: [count] of shape.dtype; y: [count] of Target(shape), another of f32, bf16, f16 and f8e4m3.
// count >= 0. No overlap.
// Every value of a narrower type is a number of f32, so each result is the value rounded once to
// the target, to nearest, ties to even. NaN: the sign stays, and of the fraction the upper bits
// that fit, made quiet; but bf16 to f32 only moves bits, and f8e4m3 has one NaN of each sign.
// Moves count (source bytes + target bytes).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct ConvertShape {
  std::int64_t count = 0;
  DType dtype = DType::kF32;     // of the source
  std::optional<DType> to = {};  // default: f32, and bf16 for a source of f32
};

constexpr DType Target(const ConvertShape& shape) {
  return shape.to.value_or(shape.dtype == DType::kF32 ? DType::kBf16 : DType::kF32);
}

struct ConvertArgs {
  using Shape = ConvertShape;
  Shape shape;
  ConstView x;
  View y;
};

template <class In, class Out>
void VisitBuffers(ConvertArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("y", args.y);
}

void Check(const ConvertArgs& args);
std::string Describe(const ConvertShape& shape);
Cost CostOf(const ConvertShape& shape);
std::string_view ConvertSupports(const ConvertShape& shape);
std::string_view ConvertVectorSupports(const ConvertShape& shape);  // f32 and bf16
void ConvertReference(const ConvertArgs& args, const Context& context);
void ConvertVector(const ConvertArgs& args, const Context& context);

template <>
struct Table<ConvertArgs> {
  static constexpr std::string_view op = "convert";
  static constexpr std::array rows = {
      Row<ConvertArgs>{"reference",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3},
                       Numerics::kExact,
                       &ConvertSupports,
                       &ConvertReference},
      Row<ConvertArgs>{"vector",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kExact,
                       &ConvertVectorSupports,
                       &ConvertVector},
  };
};

}  // namespace kernels
