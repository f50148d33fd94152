// SPDX-License-Identifier: Apache-2.0
#include "kernels/rmsnorm.h"

#include <cfloat>
#include <cmath>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

void Check(const RmsNormArgs& args) {
  constexpr auto kOp = Table<RmsNormArgs>::op;
  const auto& shape = args.shape;
  const std::size_t all = Elements(kOp, {shape.rows, shape.cols});
  const std::size_t cols = Elements(kOp, {shape.cols});
  if (!(args.eps >= FLT_MIN && args.eps <= FLT_MAX)) {
    throw Error("rmsnorm: eps must be a positive normal float");
  }
  CheckView(kOp, "x", args.x, all, shape.dtype);
  CheckView(kOp, "weight", args.weight, cols, shape.dtype);
  CheckView(kOp, "y", args.y, all, shape.dtype);
  CheckOverlap(kOp, args.y, all, args.x, all, true);
  CheckOverlap(kOp, args.y, all, args.weight, cols, false);
}

std::string_view RmsNormSupports(const RmsNormShape& shape) {
  return shape.cols < 1 ? "cols must be at least 1" : "";
}

void RmsNormReference(const RmsNormArgs& args, const Context&) {
  const std::int64_t cols = args.shape.cols;
  for (std::int64_t row = 0; row < args.shape.rows; ++row) {
    const std::int64_t at = row * cols;
    double sum = 0;
    for (std::int64_t i = 0; i < cols; ++i) {
      sum += At(args.x, at + i) * At(args.x, at + i);
    }
    const double rms = std::sqrt(sum / static_cast<double>(cols) + static_cast<double>(args.eps));
    for (std::int64_t i = 0; i < cols; ++i) {
      Put(args.y, at + i, At(args.x, at + i) / rms * At(args.weight, i));
    }
  }
}

void RmsNormVector(const RmsNormArgs& args, const Context& context) {
  cpu::For(context.isa).rmsnorm(args);
}

std::string Describe(const RmsNormShape& s) {
  return JoinSizes({{"rows", s.rows}, {"cols", s.cols}}, Name(s.dtype));
}

// Square and add, then two products.
Cost CostOf(const RmsNormShape& s) {
  const double all = Product({s.rows, s.cols});
  return {(2 * all + Product({s.cols})) * ByteCount(s.dtype), 4 * all};
}

}  // namespace kernels
