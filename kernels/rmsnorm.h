// SPDX-License-Identifier: Apache-2.0
// rmsnorm.h: y[m,n] = x[m,n] * weight[n] / sqrt(mean_n(x[m,:]^2) + eps)   (Zhang, Sennrich 2019)
//
// x, y: [rows, cols]; weight: [cols]; all f32 or all bf16. rows >= 0, cols >= 1. eps: a positive
// normal float, so a row of zeros gives zeros. y may be x.
// float32 inside, rounded once to y. Any finite x is in range: where squares overflow the sum is
// taken again in float64. A row with a NaN is NaN; beside an infinity, finite values become 0.
// Moves (2 rows cols + cols) elements.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct RmsNormShape {
  std::int64_t rows = 0, cols = 0;
  DType dtype = DType::kF32;
};

struct RmsNormArgs {
  using Shape = RmsNormShape;
  Shape shape;
  float eps = 1e-5f;
  ConstView x, weight;
  View y;
};

template <class In, class Out>
void VisitBuffers(RmsNormArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  in("weight", args.weight);
  out("y", args.y);
}

void Check(const RmsNormArgs& args);
std::string Describe(const RmsNormShape& shape);
Cost CostOf(const RmsNormShape& shape);
std::string_view RmsNormSupports(const RmsNormShape& shape);
void RmsNormReference(const RmsNormArgs& args, const Context& context);
void RmsNormVector(const RmsNormArgs& args, const Context& context);

template <>
struct Table<RmsNormArgs> {
  static constexpr std::string_view op = "rmsnorm";
  static constexpr std::array rows = {
      Row<RmsNormArgs>{"reference",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kF64,
                       &RmsNormSupports,
                       &RmsNormReference},
      Row<RmsNormArgs>{"vector",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kLanes,
                       &RmsNormSupports,
                       &RmsNormVector},
  };
};

}  // namespace kernels
