// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemv.h"

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

void Check(const GemvArgs& args) {
  constexpr auto kOp = Table<GemvArgs>::op;
  const std::size_t y = Elements(kOp, {args.shape.m, args.shape.n});
  const std::size_t x = Elements(kOp, {args.shape.m, args.shape.k});
  const std::size_t all = Elements(kOp, {args.shape.n, args.shape.k});
  CheckView(kOp, "weight", args.weight, all, args.shape.dtype);
  CheckView(kOp, "x", args.x, x, DType::kF32);
  CheckView(kOp, "y", args.y, y, DType::kF32);
  CheckOverlap(kOp, args.y, y, args.weight, all, false);
  CheckOverlap(kOp, args.y, y, args.x, x, false);
}

std::string_view GemvSupports(const GemvShape& shape) {
  return shape.m != 1 ? "m must be 1" : GemvRowsSupports(shape);
}

std::string_view GemvRowsSupports(const GemvShape& shape) {
  return shape.k < 1 ? "k must be at least 1" : "";
}

void GemvReference(const GemvArgs& args, const Context&) {
  const std::int64_t n = args.shape.n;
  const std::int64_t k = args.shape.k;
  for (std::int64_t vector = 0; vector < args.shape.m; ++vector) {
    for (std::int64_t row = 0; row < n; ++row) {
      double sum = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        sum += At(args.weight, row * k + i) * At(args.x, vector * k + i);
      }
      Put(args.y, vector * n + row, sum);
    }
  }
}

void GemvVector(const GemvArgs& args, const Context& context) {
  // One vector waits for memory, which registers of 256 bits read faster (cpu/gemv.h). The bits are
  // the same.
  const bool narrow = args.shape.m == 1 && context.isa == Isa::kAvx512;
  cpu::For(narrow ? Isa::kAvx2 : context.isa).gemv(args);
}

std::string Describe(const GemvShape& s) {
  return s.m == 1 ? JoinSizes({{"n", s.n}, {"k", s.k}}, Name(s.dtype))
                  : JoinSizes({{"m", s.m}, {"n", s.n}, {"k", s.k}}, Name(s.dtype));
}

Cost CostOf(const GemvShape& s) {
  const double all = Product({s.n, s.k});
  const double vectors = Product({s.m});
  return {all * ByteCount(s.dtype) + vectors * (Product({s.k}) + Product({s.n})) * 4,
          2 * vectors * all};
}

}  // namespace kernels
