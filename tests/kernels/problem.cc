// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/problem.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include "kernels/element.h"
#include "tests/kernels/problem_parts.h"

namespace kernels::testing {
namespace {

const std::vector<std::int64_t> kCols = {1, 7, 15, 16, 17, 63, 64, 65, 136, 257, 1024};

template <class Shape>
std::vector<Shape> RowShapes() {
  std::vector<Shape> shapes;
  for (const std::int64_t cols : kCols) {
    Shape shape{};
    shape.rows = cols < 100 ? 3 : 2;
    shape.cols = cols;
    shapes.push_back(shape);
  }
  shapes.emplace_back();
  shapes.back().cols = 5;
  return shapes;
}

template <class Shape>
std::vector<Shape> CountShapes() {
  std::vector<Shape> shapes(1);
  for (const std::int64_t count : kCols) {
    shapes.emplace_back();
    shapes.back().count = count;
  }
  return shapes;
}

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
std::vector<CopyShape> Shapes<CopyArgs>() {
  return CountShapes<CopyShape>();
}
template <>
std::vector<Fill> Fills<CopyArgs>() {
  return kAllFills;
}
template <>
Problem<CopyArgs> Make(const CopyShape& shape, Fill fill, Arena& arena) {
  const CopyArgs args{shape, arena.Input(shape.dtype, shape.count, fill),
                      arena.Output(shape.dtype, shape.count)};
  return {args, {Exact("y", args.y)}};
}

template <>
std::vector<SumShape> Shapes<SumArgs>() {
  return CountShapes<SumShape>();
}
template <>
std::vector<Fill> Fills<SumArgs>() {
  return kSumFills;
}
template <>
Problem<SumArgs> Make(const SumShape& shape, Fill fill, Arena& arena) {
  const SumArgs args{shape, arena.Input(shape.dtype, shape.count, fill),
                     arena.Output(DType::kF32, 1)};
  return {args, {{"total", args.total, [args](std::int64_t) {
                    double magnitude = 0;
                    for (std::int64_t i = 0; i < args.shape.count; ++i) {
                      magnitude += std::abs(At(args.x, i));
                    }
                    return SumError(args.shape.count) * kUnit * magnitude;
                  }}}};
}

template <>
std::vector<RmsNormShape> Shapes<RmsNormArgs>() {
  return RowShapes<RmsNormShape>();
}
template <>
std::vector<Fill> Fills<RmsNormArgs>() {
  return kAllFills;
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
std::vector<ResidualRmsNormShape> Shapes<ResidualRmsNormArgs>() {
  return RowShapes<ResidualRmsNormShape>();
}
template <>
std::vector<Fill> Fills<ResidualRmsNormArgs>() {
  return {Fill::kUniform, Fill::kWide, Fill::kSubnormal, Fill::kSpecial, Fill::kOneHot};
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
std::vector<SoftmaxShape> Shapes<SoftmaxArgs>() {
  auto shapes = RowShapes<SoftmaxShape>();
  shapes.push_back({1, 8300});  // past the buffer of the bf16 kernel
  return shapes;
}
template <>
std::vector<Fill> Fills<SoftmaxArgs>() {
  return kAllFills;
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
std::vector<SiluMulShape> Shapes<SiluMulArgs>() {
  return RowShapes<SiluMulShape>();
}
template <>
std::vector<Fill> Fills<SiluMulArgs>() {
  return kAllFills;
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

template <>
std::vector<ConvertShape> Shapes<ConvertArgs>() {
  std::vector<ConvertShape> shapes = CountShapes<ConvertShape>();
  for (const DType to : {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3}) {
    for (const std::int64_t count : {1, 17, 64, 257}) {
      shapes.push_back({.count = count, .to = to});
    }
  }
  return shapes;
}
template <>
std::vector<Fill> Fills<ConvertArgs>() {
  return kAllFills;
}
template <>
Problem<ConvertArgs> Make(const ConvertShape& shape, Fill fill, Arena& arena) {
  const ConvertArgs args{shape, arena.Input(shape.dtype, shape.count, fill),
                         arena.Output(Target(shape), shape.count)};
  return {args, {Exact("y", args.y)}};
}

template <>
std::vector<ArgmaxShape> Shapes<ArgmaxArgs>() {
  auto shapes = RowShapes<ArgmaxShape>();
  shapes.push_back({2, 9001});
  return shapes;
}
template <>
std::vector<Fill> Fills<ArgmaxArgs>() {
  return kAllFills;
}
template <>
Problem<ArgmaxArgs> Make(const ArgmaxShape& shape, Fill fill, Arena& arena) {
  return {ArgmaxArgs{shape, arena.Input(shape.dtype, shape.rows * shape.cols, fill),
                     arena.Integers<std::int32_t>(shape.rows),
                     arena.Integers<std::uint8_t>(shape.rows)},
          {}};
}

template <>
std::vector<TopKShape> Shapes<TopKArgs>() {
  return {{1, 1, 1},   {3, 7, 7},       {2, 16, 3},    {2, 136, 50},
          {3, 257, 1}, {2, 1100, 1024}, {1, 9001, 40}, {0, 5, 2}};
}
template <>
std::vector<Fill> Fills<TopKArgs>() {
  return kAllFills;
}
template <>
Problem<TopKArgs> Make(const TopKShape& shape, Fill fill, Arena& arena) {
  const View values = arena.Output(DType::kF32, shape.rows * shape.k);
  return {TopKArgs{.shape = shape,
                   .x = arena.Input(shape.dtype, shape.rows * shape.cols, fill),
                   .ids = arena.Integers<std::int32_t>(shape.rows * shape.k),
                   .values = {static_cast<float*>(values.data), values.count},
                   .ok = arena.Integers<std::uint8_t>(shape.rows)},
          {Exact("values", values)}};
}

template <>
std::vector<SampleShape> Shapes<SampleArgs>() {
  return {{1, 1, 1},   {3, 7, 7},       {2, 16, 3},    {5, 136, 50},
          {3, 257, 1}, {9, 1100, 1024}, {4, 9001, 33}, {0, 5, 2}};
}
template <>
std::vector<Fill> Fills<SampleArgs>() {
  return kAllFills;
}
// The same column and probability, bit for bit.
template <>
Problem<SampleArgs> Make(const SampleShape& shape, Fill fill, Arena& arena) {
  const View probability = arena.Output(DType::kF32, shape.rows);
  // Each shape draws by another rule; a low temperature leaves few candidates any weight.
  const auto k = static_cast<float>(shape.k);
  return {SampleArgs{.shape = shape,
                     .temperature = k > 100 ? 0.01F : 0.7F,
                     .top_p = shape.k % 2 == 0 ? 0.9F : 1.0F,
                     .seed = 0x123456789abcdef0U,
                     .step = static_cast<std::uint64_t>(shape.cols) << 30,
                     .logits = arena.Input(shape.dtype, shape.rows * shape.cols, fill),
                     .ids = arena.Integers<std::int32_t>(shape.rows),
                     .probability = {static_cast<float*>(probability.data), probability.count}},
          {Exact("probability", probability)}};
}

template <>
std::vector<GemmShape> Shapes<GemmArgs>() {
  const DType f32 = DType::kF32;
  return {{1, 1, 1},           {3, 5, 7},         {33, 17, 64},     {40, 65, 136},
          {2, 3, 257},         {0, 4, 3},         {4, 0, 3},        {16, 64, 128},
          {3, 24, 40, f32, 2}, {1, 9, 5, f32, 3}, {0, 4, 3, f32, 2}};
}
template <>
std::vector<Fill> Fills<GemmArgs>() {
  return {Fill::kUniform, Fill::kWide, Fill::kOneHot, Fill::kTies, Fill::kZero};
}
template <>
Problem<GemmArgs> Make(const GemmShape& shape, Fill fill, Arena& arena) {
  const GemmArgs args{shape, arena.Input(shape.dtype, shape.m * shape.k, fill),
                      arena.Input(shape.dtype, shape.batch * shape.n * shape.k, Fill::kUniform),
                      arena.Output(shape.dtype, shape.batch * shape.m * shape.n)};
  // Any order of k products and k - 1 sums, fused or not (Higham, 3.5). Tensor cores, which take
  // bf16, cut a sum's last bits off where others round, and align each product to the largest
  // first: up to 4 u a step (Fasi, Higham, Mikaitis, Pranesh 2021).
  const double per_step = shape.dtype == DType::kF32 ? 1.01 : 4.04;
  return {args, {{"c", args.c, [args, per_step](std::int64_t i) {
                    const std::int64_t each = args.shape.m * args.shape.n;
                    const std::int64_t row = i % each / args.shape.n;
                    const std::int64_t col = i / each * args.shape.n + i % args.shape.n;
                    double magnitude = 0;
                    for (std::int64_t k = 0; k < args.shape.k; ++k) {
                      magnitude += std::abs(At(args.a, row * args.shape.k + k) *
                                            At(args.weight, col * args.shape.k + k));
                    }
                    return static_cast<double>(args.shape.k) * per_step * kUnit * magnitude;
                  }}}};
}

}  // namespace kernels::testing
