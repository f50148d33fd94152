// SPDX-License-Identifier: Apache-2.0
#include "kernels/silu_mul.h"

#include <cmath>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

void Check(const SiluMulArgs& args) {
  constexpr auto kOp = Table<SiluMulArgs>::op;
  const std::size_t all = Elements(kOp, {args.shape.rows, args.shape.cols});
  CheckView(kOp, "gate", args.gate, all, args.shape.dtype);
  CheckView(kOp, "up", args.up, all, args.shape.dtype);
  CheckView(kOp, "y", args.y, all, args.shape.dtype);
  CheckOverlap(kOp, args.y, all, args.gate, all, true);
  CheckOverlap(kOp, args.y, all, args.up, all, true);
}

std::string_view SiluMulSupports(const SiluMulShape&) { return ""; }

void SiluMulReference(const SiluMulArgs& args, const Context&) {
  for (std::int64_t i = 0; i < args.shape.rows * args.shape.cols; ++i) {
    const double gate = At(args.gate, i);
    Put(args.y, i, gate / (1.0 + std::exp(-gate)) * At(args.up, i));
  }
}

void SiluMulVector(const SiluMulArgs& args, const Context& context) {
  cpu::For(context.isa).silu_mul(args);
}

std::string Describe(const SiluMulShape& s) {
  return JoinSizes({{"rows", s.rows}, {"cols", s.cols}}, Name(s.dtype));
}

// Exponential, add, divide, two products.
Cost CostOf(const SiluMulShape& s) {
  const double all = Product({s.rows, s.cols});
  return {3 * all * ByteCount(s.dtype), 5 * all};
}

}  // namespace kernels
