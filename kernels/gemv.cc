// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemv.h"

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/element.h"

namespace kernels {

void Check(const GemvArgs& args) {
  constexpr auto kOp = Table<GemvArgs>::op;
  const std::size_t n = Elements(kOp, {args.shape.n});
  const std::size_t k = Elements(kOp, {args.shape.k});
  const std::size_t all = Elements(kOp, {args.shape.n, args.shape.k});
  CheckView(kOp, "weight", args.weight, all, args.shape.dtype);
  CheckView(kOp, "x", args.x, k, DType::kF32);
  CheckView(kOp, "y", args.y, n, DType::kF32);
  CheckOverlap(kOp, args.y, n, args.weight, all, false);
  CheckOverlap(kOp, args.y, n, args.x, k, false);
}

std::string_view GemvSupports(const GemvShape& shape) {
  return shape.k < 1 ? "k must be at least 1" : "";
}

void GemvReference(const GemvArgs& args, const Context&) {
  for (std::int64_t row = 0; row < args.shape.n; ++row) {
    double sum = 0;
    for (std::int64_t i = 0; i < args.shape.k; ++i) {
      sum += At(args.weight, row * args.shape.k + i) * At(args.x, i);
    }
    Put(args.y, row, sum);
  }
}

void GemvVector(const GemvArgs& args, const Context& context) { cpu::For(context.isa).gemv(args); }

}  // namespace kernels
