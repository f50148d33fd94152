// SPDX-License-Identifier: Apache-2.0
// gemv.h: y[m,n] = sum_k weight[n,k] * x[m,k], of one vector or of several
//
// weight: [n, k] f32 or bf16 (shape.dtype), rows contiguous; x: f32 [m, k]; y: f32 [m, n]. n, m >=
// 0, k >= 1. y may not overlap weight or x. On a device m is 1. float32 inside; a row's result does
// not depend on the rows beside it, neither of weight nor of x. Moves n k weights + m (k + n) f32:
// the vectors share the weights.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct GemvShape {
  std::int64_t n = 0, k = 0;
  DType dtype = DType::kF32;
  std::int64_t m = 1;
};

struct GemvArgs {
  using Shape = GemvShape;
  Shape shape;
  ConstView weight, x;
  View y;
};

template <class In, class Out>
void VisitBuffers(GemvArgs& args, In&& in, Out&& out) {
  in("weight", args.weight);
  in("x", args.x);
  out("y", args.y);
}

void Check(const GemvArgs& args);
std::string Describe(const GemvShape& shape);
Cost CostOf(const GemvShape& shape);
std::string_view GemvSupports(const GemvShape& shape);      // one vector
std::string_view GemvRowsSupports(const GemvShape& shape);  // any number
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
                    &GemvRowsSupports,
                    &GemvReference},
      Row<GemvArgs>{"vector",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kLanes,
                    &GemvRowsSupports,
                    &GemvVector},
  };
};

}  // namespace kernels
