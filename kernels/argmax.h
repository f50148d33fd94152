// SPDX-License-Identifier: Apache-2.0
// argmax.h: id[m] = the column of the largest x[m,:]; the lowest such column on ties
//
// x: f32 [rows, cols]; ids, ok: [rows]. rows >= 0, 1 <= cols < 2^31. NaN is below every number,
// -inf included; -0 equals +0. A row of NaN alone gives id 0 and ok = 0, otherwise ok = 1, so an
// id is always a valid index.
// Moves rows cols f32; of each row one block of 4096 columns is read twice.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct ArgmaxShape {
  std::int64_t rows = 0, cols = 0;
  DType dtype = DType::kF32;
};

struct ArgmaxArgs {
  using Shape = ArgmaxShape;
  Shape shape;
  ConstView x;
  std::span<std::int32_t> ids;
  std::span<std::uint8_t> ok;
};

template <class In, class Out>
void VisitBuffers(ArgmaxArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("ids", args.ids);
  out("ok", args.ok);
}

void Check(const ArgmaxArgs& args);
std::string Describe(const ArgmaxShape& shape);
Cost CostOf(const ArgmaxShape& shape);
std::string_view ArgmaxSupports(const ArgmaxShape& shape);
void ArgmaxReference(const ArgmaxArgs& args, const Context& context);
void ArgmaxVector(const ArgmaxArgs& args, const Context& context);

template <>
struct Table<ArgmaxArgs> {
  static constexpr std::string_view op = "argmax";
  static constexpr std::array rows = {
      Row<ArgmaxArgs>{"reference",
                      Device::kCpu,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &ArgmaxSupports,
                      &ArgmaxReference},
      Row<ArgmaxArgs>{"vector",
                      Device::kCpu,
                      Isa::kGeneric,
                      {DType::kF32},
                      Numerics::kExact,
                      &ArgmaxSupports,
                      &ArgmaxVector},
  };
};

}  // namespace kernels
