// SPDX-License-Identifier: Apache-2.0
// gemv.h: y[n] = sum_k weight[n,k] * x[k]
//
// weight: [n, k] f32 or bf16 (shape.dtype), rows contiguous; x: f32 [k]; y: f32 [n]. n >= 0,
// k >= 1. y may not overlap weight or x.
// float32 inside; a row's result does not depend on the rows beside it.
// Moves n k weights + (k + n) f32.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct GemvShape {
  std::int64_t n = 0, k = 0;
  DType dtype = DType::kF32;
};

struct GemvArgs {
  using Shape = GemvShape;
  Shape shape;
  ConstView weight, x;
  View y;
};

void Check(const GemvArgs& args);
std::string_view GemvSupports(const GemvShape& shape);
void GemvReference(const GemvArgs& args, const Context& context);
void GemvVector(const GemvArgs& args, const Context& context);

template <>
struct Table<GemvArgs> {
  static constexpr std::string_view op = "gemv";
  static constexpr std::array rows = {
      Row<GemvArgs>{"reference",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kF64,
                    &GemvSupports,
                    &GemvReference},
      Row<GemvArgs>{"vector",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kLanes,
                    &GemvSupports,
                    &GemvVector},
  };
};

}  // namespace kernels
