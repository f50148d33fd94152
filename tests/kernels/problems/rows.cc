// SPDX-License-Identifier: Apache-2.0
// rows.cc: the problems of rmsnorm, residual_rmsnorm, softmax and silu_mul.
#include <algorithm>
#include <cmath>

#include "kernels/element.h"
#include "tests/kernels/problem_parts.h"

namespace kernels::testing {
namespace {

std::function<double(std::int64_t)> RmsNormBound(const RmsNormShape& shape, ConstView x,
                                                 ConstView weight) {
  auto rms_of = PerRow(shape, [=](std::int64_t at) {
    double sum = 0;
    for (std::int64_t k = 0; k < shape.cols; ++k) {
      sum += At(x, at + k) * At(x, at + k);
    }
    return std::sqrt(sum / static_cast<double>(shape.cols) + 1e-5);
  });
  return [=](std::int64_t i) mutable {
    const double rms = rms_of(i);
    const double value = std::abs(At(x, i) / rms * At(weight, i % shape.cols));
    // Half the error of the sum passes the square root; then the reciprocal and two products.
    const double relative = (SumError(shape.cols) / 2 + 3) * kUnit;
    const double spread = std::abs(At(weight, i % shape.cols)) * (1 + std::abs(At(x, i)));
    return value * relative + kTiny * (1 + spread);
  };
}

}  // namespace

template <>
Trials<RmsNormArgs> TrialsOf() {
  Trials<RmsNormArgs> trials;
  trials.shapes = RowShapes<RmsNormShape>();
  trials.large = LargeRowShapes<RmsNormShape>();
  return trials;
}

template <>
Problem<RmsNormArgs> Make(const RmsNormShape& shape, Fill fill, Arena& arena) {
  const RmsNormArgs args{.shape = shape,
                         .x = arena.Input(shape.dtype, shape.rows * shape.cols, fill),
                         .weight = arena.Input(shape.dtype, shape.cols, Fill::kUniform),
                         .y = arena.Output(shape.dtype, shape.rows * shape.cols)};
  return {args, {{"y", args.y, RmsNormBound(shape, args.x, args.weight)}}};
}

template <>
Trials<ResidualRmsNormArgs> TrialsOf() {
  Trials<ResidualRmsNormArgs> trials;
  trials.shapes = RowShapes<ResidualRmsNormShape>();
  trials.large = LargeRowShapes<ResidualRmsNormShape>();
  trials.fills = {Fill::kUniform, Fill::kWide, Fill::kSubnormal, Fill::kSpecial, Fill::kOneHot};
  return trials;
}

template <>
Problem<ResidualRmsNormArgs> Make(const ResidualRmsNormShape& shape, Fill fill, Arena& arena) {
  const std::int64_t all = shape.rows * shape.cols;
  const ResidualRmsNormArgs args{.shape = shape,
                                 .x = arena.Input(shape.dtype, all, fill),
                                 .residual = arena.Input(shape.dtype, all, Fill::kUniform),
                                 .weight = arena.Input(shape.dtype, shape.cols, Fill::kUniform),
                                 .sum = arena.Output(shape.dtype, all),
                                 .y = arena.Output(shape.dtype, all)};
  // Adding in float64 and rounding once, or in float32: for f32 the same correctly rounded sum; in
  // bf16 the float32 sum is rounded again, which may move a tie by one ulp of bf16.
  const auto sum_bound = [args](std::int64_t i) {
    return args.shape.dtype == DType::kF32 ? 0.0
                                           : kUnit * std::abs(At(args.x, i) + At(args.residual, i));
  };
  return {
      args,
      {{"sum", args.sum, sum_bound}, {"y", args.y, RmsNormBound(shape, args.sum, args.weight)}}};
}

template <>
Trials<SoftmaxArgs> TrialsOf() {
  Trials<SoftmaxArgs> trials;
  trials.shapes = RowShapes<SoftmaxShape>();
  trials.shapes.push_back({1, 8300});  // past the buffer of the bf16 kernel
  trials.large = LargeRowShapes<SoftmaxShape>();
  return trials;
}

template <>
Problem<SoftmaxArgs> Make(const SoftmaxShape& shape, Fill fill, Arena& arena) {
  const SoftmaxArgs args{shape, arena.Input(shape.dtype, shape.rows * shape.cols, fill),
                         arena.Output(shape.dtype, shape.rows * shape.cols)};
  // x - max is rounded, which e^d turns into a relative error of |d| u; in the sum that averages to
  // at most ln(cols) u, for the mean of max - x under the softmax is its entropy less ln(sum).
  const std::int64_t cols = shape.cols;
  auto max_of = PerRow(shape, [args, cols](std::int64_t at) {
    double max = -1e300;
    for (std::int64_t k = 0; k < cols; ++k) {
      max = std::max(max, At(args.x, at + k));
    }
    return max;
  });
  auto sum_of = PerRow(shape, [args, cols, max_of](std::int64_t at) mutable {
    double sum = 0;
    for (std::int64_t k = 0; k < cols; ++k) {
      sum += std::exp(At(args.x, at + k) - max_of(at));
    }
    return sum;
  });
  auto bound = [args, cols, max_of, sum_of](std::int64_t i) mutable {
    const double distance = max_of(i) - At(args.x, i);
    const double value = std::exp(-distance) / sum_of(i);
    const double relative =
        (distance + std::log(static_cast<double>(cols)) + SumError(cols) + 6) * kUnit;
    return (distance < 200 ? value * relative : 0) + 2 * kTiny;
  };
  return {args, {{"y", args.y, bound}}};
}

template <>
Trials<SiluMulArgs> TrialsOf() {
  Trials<SiluMulArgs> trials;
  trials.shapes = RowShapes<SiluMulShape>();
  trials.large = {{64, 8192}, {1000, 4864}, {3, 70001}};
  return trials;
}

template <>
Problem<SiluMulArgs> Make(const SiluMulShape& shape, Fill fill, Arena& arena) {
  const std::int64_t all = shape.rows * shape.cols;
  const SiluMulArgs args{shape, arena.Input(shape.dtype, all, fill),
                         arena.Input(shape.dtype, all, Fill::kUniform),
                         arena.Output(shape.dtype, all)};
  // e^x 2 u, once in the numerator and once in the denominator; sum, product, quotient, product.
  // Where e^gate is subnormal its absolute error is multiplied by the gate, which is below 110
  // where the product is not 0.
  return {args, {{"y", args.y, [args](std::int64_t i) {
                    const double gate = At(args.gate, i);
                    const double value = gate / (1 + std::exp(-gate)) * At(args.up, i);
                    return 8 * kUnit * std::abs(value) +
                           (3 + std::min(std::abs(gate), 110.0)) * kTiny;
                  }}}};
}

}  // namespace kernels::testing
