// SPDX-License-Identifier: Apache-2.0
#include "kernels/residual_rmsnorm.h"

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {
namespace {

RmsNormArgs NormOfSum(const ResidualRmsNormArgs& args) {
  return {.shape = args.shape, .eps = args.eps, .x = args.sum, .weight = args.weight, .y = args.y};
}

}  // namespace

void Check(const ResidualRmsNormArgs& args) {
  constexpr auto kOp = Table<ResidualRmsNormArgs>::op;
  const auto& shape = args.shape;
  const std::size_t all = Elements(kOp, {shape.rows, shape.cols});
  const std::size_t cols = Elements(kOp, {shape.cols});
  CheckView(kOp, "x", args.x, all, shape.dtype);
  CheckView(kOp, "residual", args.residual, all, shape.dtype);
  Check(NormOfSum(args));
  CheckOverlap(kOp, args.sum, all, args.x, all, true);
  CheckOverlap(kOp, args.sum, all, args.residual, all, true);
  CheckOverlap(kOp, args.sum, all, args.weight, cols, false);
  CheckOverlap(kOp, args.y, all, args.x, all, false);
  CheckOverlap(kOp, args.y, all, args.residual, all, false);
  CheckOverlap(kOp, args.y, all, args.sum, all, false);
}

std::string_view ResidualRmsNormSupports(const ResidualRmsNormShape& shape) {
  return RmsNormSupports(shape);
}

void ResidualRmsNormReference(const ResidualRmsNormArgs& args, const Context& context) {
  for (std::int64_t i = 0; i < args.shape.rows * args.shape.cols; ++i) {
    Put(args.sum, i, At(args.x, i) + At(args.residual, i));
  }
  RmsNormReference(NormOfSum(args), context);
}

void ResidualRmsNormVector(const ResidualRmsNormArgs& args, const Context& context) {
  cpu::For(context.isa).residual_rmsnorm(args);
}

Cost CostOf(const ResidualRmsNormShape& s) {
  const double all = Product({s.rows, s.cols});
  return {(4 * all + Product({s.cols})) * ByteCount(s.dtype), 5 * all};
}

}  // namespace kernels
