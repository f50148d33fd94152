// SPDX-License-Identifier: Apache-2.0
#include "kernels/rope.h"

#include <string>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

void Check(const RopeArgs& args) {
  constexpr auto kOp = Table<RopeArgs>::op;
  const auto& shape = args.shape;
  const std::size_t all = Elements(kOp, {shape.tokens, shape.heads, shape.dim});
  const std::size_t tokens = Elements(kOp, {shape.tokens});
  if (args.positions.size() < tokens) {
    throw Error("rope: positions has " + std::to_string(args.positions.size()) +
                " elements, expected " + std::to_string(tokens));
  }
  CheckView(kOp, "x", args.x, all, shape.dtype);
  CheckView(kOp, "cos", args.cos, 0, DType::kF32);
  CheckView(kOp, "sin", args.sin, 0, DType::kF32);
  CheckView(kOp, "y", args.y, all, shape.dtype);
  CheckOverlap(kOp, args.y, all, args.x, all, true);
  CheckOverlap(kOp, args.y, all, args.cos, args.cos.count, false);
  CheckOverlap(kOp, args.y, all, args.sin, args.sin.count, false);
}

void CheckValues(const RopeArgs& args) {
  std::int64_t last = -1;
  for (const std::int32_t position :
       args.positions.first(static_cast<std::size_t>(args.shape.tokens))) {
    if (position < 0) {
      throw Error("rope: a position is negative: " + std::to_string(position));
    }
    last = position > last ? position : last;
  }
  const std::size_t table = Elements("rope", {last + 1, args.shape.dim / 2});
  CheckView("rope", "cos", args.cos, table, DType::kF32);
  CheckView("rope", "sin", args.sin, table, DType::kF32);
}

std::string_view RopeSupports(const RopeShape& shape) {
  return shape.dim < 2 || shape.dim % 2 != 0 ? "dim must be even and at least 2" : "";
}

void RopeReference(const RopeArgs& args, const Context&) {
  const std::int64_t half = args.shape.dim / 2;
  for (std::int64_t token = 0; token < args.shape.tokens; ++token) {
    const std::int64_t angle = args.positions[static_cast<std::size_t>(token)] * half;
    for (std::int64_t head = 0; head < args.shape.heads; ++head) {
      const std::int64_t at = (token * args.shape.heads + head) * 2 * half;
      for (std::int64_t i = 0; i < half; ++i) {
        const double a = At(args.x, at + i);
        const double b = At(args.x, at + half + i);
        const double cos = At(args.cos, angle + i);
        const double sin = At(args.sin, angle + i);
        Put(args.y, at + i, a * cos - b * sin);
        Put(args.y, at + half + i, b * cos + a * sin);
      }
    }
  }
}

void RopeVector(const RopeArgs& args, const Context& context) {
  cpu::For(context.isa).rope(args, args.positions.data());
}

std::string Describe(const RopeShape& s) {
  return JoinSizes({{"tokens", s.tokens}, {"heads", s.heads}, {"dim", s.dim}}, Name(s.dtype));
}

Cost CostOf(const RopeShape& s) {
  const double all = Product({s.tokens, s.heads, s.dim});
  return {2 * all * ByteCount(s.dtype) + Product({s.tokens, s.dim}) * 4, 3 * all};
}

}  // namespace kernels
