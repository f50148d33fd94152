// SPDX-License-Identifier: Apache-2.0
// softmax.h: y[m,n] = exp(x[m,n] - max_n x[m,:]) / sum_n exp(x[m,n] - max_n x[m,:])
//
// x, y: [rows, cols], both f32 or both bf16. rows >= 0, cols >= 1. y may be x.
// float32 inside, rounded once to y. -inf gives 0. A row with a NaN or +inf, or of -inf alone, is
// NaN throughout.
// Moves 2 rows cols elements; three passes over a row that stays in the first-level cache.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct SoftmaxShape {
  std::int64_t rows = 0, cols = 0;
  DType dtype = DType::kF32;
};

struct SoftmaxArgs {
  using Shape = SoftmaxShape;
  Shape shape;
  ConstView x;
  View y;
};

template <class In, class Out>
void VisitBuffers(SoftmaxArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("y", args.y);
}

void Check(const SoftmaxArgs& args);
std::string Describe(const SoftmaxShape& shape);
Cost CostOf(const SoftmaxShape& shape);
std::string_view SoftmaxSupports(const SoftmaxShape& shape);
void SoftmaxReference(const SoftmaxArgs& args, const Context& context);
void SoftmaxVector(const SoftmaxArgs& args, const Context& context);

template <>
struct Table<SoftmaxArgs> {
  static constexpr std::string_view op = "softmax";
  static constexpr std::array rows = {
      Row<SoftmaxArgs>{"reference",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kF64,
                       &SoftmaxSupports,
                       &SoftmaxReference},
      Row<SoftmaxArgs>{"vector",
                       Device::kCpu,
                       Isa::kGeneric,
                       {DType::kF32, DType::kBf16},
                       Numerics::kLanes,
                       &SoftmaxSupports,
                       &SoftmaxVector},
  };
};

}  // namespace kernels
