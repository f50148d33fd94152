// SPDX-License-Identifier: Apache-2.0
// rope.h: rotary position embedding (Su et al. 2021), pairs (i, i + dim/2) as Hugging Face weights
//
//   y[t,h,i]         = x[t,h,i] * cos[p,i] - x[t,h,i+dim/2] * sin[p,i]
//   y[t,h,i + dim/2] = x[t,h,i+dim/2] * cos[p,i] + x[t,h,i] * sin[p,i]      p = positions[t]
//
// x, y: [tokens, heads, dim], both f32 or both bf16; cos, sin: f32 [table rows, dim/2]; positions:
// [tokens], each below the number of table rows. tokens, heads >= 0, dim even and >= 2. y may be x.
// float32 inside, rounded once to y.
// Moves 2 tokens heads dim elements + tokens dim f32 of table.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct RopeShape {
  std::int64_t tokens = 0, heads = 0, dim = 0;
  DType dtype = DType::kF32;
};

struct RopeArgs {
  using Shape = RopeShape;
  Shape shape;
  ConstView x;
  ConstView cos, sin;
  std::span<const std::int32_t> positions;
  View y;
};

template <class In, class Out>
void VisitBuffers(RopeArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  in("cos", args.cos);
  in("sin", args.sin);
  in("positions", args.positions);
  out("y", args.y);
}

void Check(const RopeArgs& args);
std::string Describe(const RopeShape& shape);
Cost CostOf(const RopeShape& shape);
void CheckValues(const RopeArgs& args);  // positions, and the table rows that they reach
std::string_view RopeSupports(const RopeShape& shape);
void RopeReference(const RopeArgs& args, const Context& context);
void RopeVector(const RopeArgs& args, const Context& context);

template <>
struct Table<RopeArgs> {
  static constexpr std::string_view op = "rope";
  static constexpr std::array rows = {
      Row<RopeArgs>{"reference",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kF64,
                    &RopeSupports,
                    &RopeReference},
      Row<RopeArgs>{"vector",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kLanes,
                    &RopeSupports,
                    &RopeVector},
  };
};

}  // namespace kernels
