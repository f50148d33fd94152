// SPDX-License-Identifier: Apache-2.0
// residual_rmsnorm.h: sum = x + residual; y = rmsnorm(sum, weight)
//
// x, residual, sum, y: [rows, cols]; weight: [cols]; all f32 or all bf16. rows >= 0, cols >= 1.
// eps: a positive normal float. sum may be x or residual; y may not share memory with either.
// Rounding points: the sum is rounded to its dtype, and the rounded sum feeds both the variance and
// the product, so the result has the bits of an addition followed by rmsnorm.
// Moves (4 rows cols + cols) elements.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/rmsnorm.h"
#include "kernels/row.h"

namespace kernels {

struct ResidualRmsNormShape : RmsNormShape {};

struct ResidualRmsNormArgs {
  using Shape = ResidualRmsNormShape;
  Shape shape;
  float eps = 1e-5f;
  ConstView x, residual, weight;
  View sum, y;
};

template <class In, class Out>
void VisitBuffers(ResidualRmsNormArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  in("residual", args.residual);
  in("weight", args.weight);
  out("sum", args.sum);
  out("y", args.y);
}

void Check(const ResidualRmsNormArgs& args);
Cost CostOf(const ResidualRmsNormShape& shape);
std::string_view ResidualRmsNormSupports(const ResidualRmsNormShape& shape);
void ResidualRmsNormReference(const ResidualRmsNormArgs& args, const Context& context);
void ResidualRmsNormVector(const ResidualRmsNormArgs& args, const Context& context);

template <>
struct Table<ResidualRmsNormArgs> {
  static constexpr std::string_view op = "residual_rmsnorm";
  static constexpr std::array rows = {
      Row<ResidualRmsNormArgs>{"reference",
                               Device::kCpu,
                               Isa::kGeneric,
                               {DType::kF32, DType::kBf16},
                               Numerics::kF64,
                               &ResidualRmsNormSupports,
                               &ResidualRmsNormReference},
      Row<ResidualRmsNormArgs>{"vector",
                               Device::kCpu,
                               Isa::kGeneric,
                               {DType::kF32, DType::kBf16},
                               Numerics::kLanes,
                               &ResidualRmsNormSupports,
                               &ResidualRmsNormVector},
  };
};

}  // namespace kernels
