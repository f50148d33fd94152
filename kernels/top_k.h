// SPDX-License-Identifier: Apache-2.0
// top_k.h: the k largest of each row, largest first; the lower column first on ties
//
// x: f32 [rows, cols]; ids, values: [rows, k]; ok: [rows]. rows >= 0, 1 <= k <= min(cols, 1024),
// cols < 2^31. NaN is below every number, -inf included; -0 equals +0. ids of a row are distinct
// and valid. ok = 0 where a row has fewer than k numbers; its last places then hold NaN columns.
// Moves rows cols f32 once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

inline constexpr std::int64_t kMaxTopK = 1024;

struct TopKShape {
  std::int64_t rows = 0, cols = 0, k = 0;
  DType dtype = DType::kF32;
};

struct TopKArgs {
  using Shape = TopKShape;
  Shape shape;
  ConstView x;
  std::span<std::int32_t> ids;
  std::span<float> values;
  std::span<std::uint8_t> ok;
};

template <class In, class Out>
void VisitBuffers(TopKArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("ids", args.ids);
  out("values", args.values);
  out("ok", args.ok);
}

void Check(const TopKArgs& args);
std::string Describe(const TopKShape& shape);
Cost CostOf(const TopKShape& shape);
std::string_view TopKSupports(const TopKShape& shape);
void TopKReference(const TopKArgs& args, const Context& context);
void TopKVector(const TopKArgs& args, const Context& context);

template <>
struct Table<TopKArgs> {
  static constexpr std::string_view op = "top_k";
  static constexpr std::array rows = {
      Row<TopKArgs>{"reference",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32},
                    Numerics::kExact,
                    &TopKSupports,
                    &TopKReference},
      Row<TopKArgs>{"vector",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32},
                    Numerics::kExact,
                    &TopKSupports,
                    &TopKVector},
  };
};

}  // namespace kernels
