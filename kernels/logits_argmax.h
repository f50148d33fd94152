// SPDX-License-Identifier: Apache-2.0
// logits_argmax.h: id = the row n with the largest sum_k weight[n,k] * x[k]; the lowest on ties
//
// The last step of greedy decoding: a gemv (gemv.h) whose results are only compared, never written.
// weight: [vocab, k] f32 or bf16 (shape.dtype), rows contiguous; x: f32 [k]; ids, value, ok: one
// element each. 1 <= vocab < 2^31, k >= 1. No output may overlap an input.
// Logits are float32, rounded as gemv's implementation of the same name rounds them. NaN is below
// every number, -inf included; -0 equals +0. value is the logit of ids[0]. If all logits are NaN:
// id 0, value NaN, ok = 0, otherwise ok = 1, so an id is always a valid index.
// float32 inside; the same input gives the same bits. Moves vocab k weights + k f32.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct LogitsArgmaxShape {
  std::int64_t vocab = 0, k = 0;
  DType dtype = DType::kF32;
};

struct LogitsArgmaxArgs {
  using Shape = LogitsArgmaxShape;
  Shape shape;
  ConstView weight, x;
  std::span<std::int32_t> ids;
  View value;
  std::span<std::uint8_t> ok;
};

template <class In, class Out>
void VisitBuffers(LogitsArgmaxArgs& args, In&& in, Out&& out) {
  in("weight", args.weight);
  in("x", args.x);
  out("ids", args.ids);
  out("value", args.value);
  out("ok", args.ok);
}

void Check(const LogitsArgmaxArgs& args);
std::string Describe(const LogitsArgmaxShape& shape);
Cost CostOf(const LogitsArgmaxShape& shape);
std::string_view LogitsArgmaxSupports(const LogitsArgmaxShape& shape);
void LogitsArgmaxReference(const LogitsArgmaxArgs& args, const Context& context);

template <>
struct Table<LogitsArgmaxArgs> {
  static constexpr std::string_view op = "logits_argmax";
  static constexpr std::array rows = {
      Row<LogitsArgmaxArgs>{"reference",
                            Device::kCpu,
                            Isa::kGeneric,
                            {DType::kF32, DType::kBf16},
                            Numerics::kF64,
                            &LogitsArgmaxSupports,
                            &LogitsArgmaxReference},
  };
};

}  // namespace kernels
