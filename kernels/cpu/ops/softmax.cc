// SPDX-License-Identifier: Apache-2.0
#include "kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

void Check(const SoftmaxArgs& args) {
  constexpr auto kOp = Table<SoftmaxArgs>::op;
  const std::size_t all = Elements(kOp, {args.shape.rows, args.shape.cols});
  CheckView(kOp, "x", args.x, all, args.shape.dtype);
  CheckView(kOp, "y", args.y, all, args.shape.dtype);
  CheckOverlap(kOp, args.y, all, args.x, all, true);
}

std::string_view SoftmaxSupports(const SoftmaxShape& shape) {
  return shape.cols < 1 ? "cols must be at least 1" : "";
}

void SoftmaxReference(const SoftmaxArgs& args, const Context&) {
  const std::int64_t cols = args.shape.cols;
  for (std::int64_t row = 0; row < args.shape.rows; ++row) {
    const std::int64_t at = row * cols;
    double max = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < cols; ++i) {
      max = std::max(max, At(args.x, at + i));
    }
    double sum = 0;
    for (std::int64_t i = 0; i < cols; ++i) {
      sum += std::exp(At(args.x, at + i) - max);
    }
    for (std::int64_t i = 0; i < cols; ++i) {
      Put(args.y, at + i, std::exp(At(args.x, at + i) - max) / sum);
    }
  }
}

void SoftmaxVector(const SoftmaxArgs& args, const Context& context) {
  cpu::For(context.isa).softmax(args);
}

std::string Describe(const SoftmaxShape& s) {
  return JoinSizes({{"rows", s.rows}, {"cols", s.cols}}, Name(s.dtype));
}

// Subtract, exponential, add, scale.
Cost CostOf(const SoftmaxShape& s) {
  const double all = Product({s.rows, s.cols});
  return {2 * all * ByteCount(s.dtype), 4 * all};
}

}  // namespace kernels
