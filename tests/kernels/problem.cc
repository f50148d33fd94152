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

// Times u: the error of a sum of n terms relative to the sum of magnitudes.
double SumError(std::int64_t n) { return static_cast<double>(n) / 64 + 8; }

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

// Sums of huge values may leave float32, which their contracts do not cover.
const std::vector<Fill> kSumFills = {Fill::kUniform, Fill::kWide,   Fill::kSubnormal,
                                     Fill::kSpecial, Fill::kNanRow, Fill::kOneHot,
                                     Fill::kTies,    Fill::kZero};

// f(first element of the row of i), computed once per row as long as i does not go back.
template <class Shape, class F>
auto PerRow(const Shape& shape, F f) {
  return [cols = shape.cols, f, row = std::int64_t{-1}, value = 0.0](std::int64_t i) mutable {
    if (row != i / cols) {
      row = i / cols;
      value = f(row * cols);
    }
    return value;
  };
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

namespace {

// The float64 product of one row of `weight` with x, and how far a float32 sum may be from it.
struct RowProduct {
  double value = 0, error = 0;
};

RowProduct ProductOfRow(ConstView weight, ConstView x, std::int64_t row, std::int64_t k) {
  RowProduct product;
  double magnitude = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    const double term = At(weight, row * k + i) * At(x, i);
    product.value += term;
    magnitude += std::abs(term);
  }
  product.error = SumError(k) * (kUnit * magnitude + kTiny);
  return product;
}

bool SameRow(ConstView weight, std::int64_t a, std::int64_t b, std::int64_t k) {
  for (std::int64_t i = 0; i < k; ++i) {
    if (!(At(weight, a * k + i) == At(weight, b * k + i))) {
      return false;
    }
  }
  return true;
}

// An id other than the reference's is right only where both logits are equal within their bounds,
// and where no row of a lower id has the same weights, for equal rows give equal bits.
std::string FaultOfId(const LogitsArgmaxArgs& got, const LogitsArgmaxArgs& want) {
  const std::int64_t id = got.ids[0];
  const std::int64_t expected = want.ids[0];
  if (id < 0 || id >= got.shape.vocab) {
    return "id " + std::to_string(id) + " is outside the vocabulary";
  }
  if (got.ok[0] != want.ok[0]) {
    return "ok is " + std::to_string(got.ok[0]);
  }
  if (id == expected) {
    return "";
  }
  const std::string text = "id " + std::to_string(id) + ", reference " + std::to_string(expected);
  const RowProduct a = ProductOfRow(want.weight, want.x, id, want.shape.k);
  const RowProduct b = ProductOfRow(want.weight, want.x, expected, want.shape.k);
  const double allowed = a.error + b.error + kUnit * (std::abs(a.value) + std::abs(b.value));
  if (want.ok[0] == 0 || !(std::abs(a.value - b.value) <= allowed)) {
    return text;
  }
  for (std::int64_t lower = 0; lower < id; ++lower) {
    if (SameRow(want.weight, lower, id, want.shape.k)) {
      return text + ", a tie with the lower id " + std::to_string(lower);
    }
  }
  return "";
}

}  // namespace

template <>
std::vector<LogitsArgmaxShape> Shapes<LogitsArgmaxArgs>() {
  return {{1, 1}, {2, 7}, {3, 64}, {40, 65}, {300, 136}, {7, 257}, {9, 1000}};
}
template <>
std::vector<Fill> Fills<LogitsArgmaxArgs>() {
  return kSumFills;
}
template <>
Problem<LogitsArgmaxArgs> Make(const LogitsArgmaxShape& shape, Fill fill, Arena& arena) {
  const LogitsArgmaxArgs args{.shape = shape,
                              .weight = arena.Input(shape.dtype, shape.vocab * shape.k, fill),
                              .x = arena.Input(DType::kF32, shape.k, Fill::kUniform),
                              .ids = arena.Integers<std::int32_t>(1),
                              .value = arena.Output(DType::kF32, 1),
                              .ok = arena.Integers<std::uint8_t>(1)};
  // Two maxima differ by no more than the largest distance between their elements.
  const auto bound = [args](std::int64_t) {
    double largest = 0;
    for (std::int64_t row = 0; row < args.shape.vocab; ++row) {
      const RowProduct product = ProductOfRow(args.weight, args.x, row, args.shape.k);
      largest = std::isfinite(product.error) ? std::max(largest, product.error) : largest;
    }
    return largest;
  };
  return {args, {{"value", args.value, bound}}, &FaultOfId};
}

template <>
std::vector<GemvMxfp4Shape> Shapes<GemvMxfp4Args>() {
  return {{1, 32}, {2, 64}, {17, 96}, {5, 128}, {16, 160}, {33, 1056}, {3, 2880}, {0, 32}};
}
// Codes are random. kOneHot also has scales at both ends of their range, kNanRow scales of NaN.
template <>
std::vector<Fill> Fills<GemvMxfp4Args>() {
  return {Fill::kUniform, Fill::kWide, Fill::kSubnormal, Fill::kSpecial,
          Fill::kNanRow,  Fill::kTies, Fill::kOneHot,    Fill::kZero};
}
template <>
Problem<GemvMxfp4Args> Make(const GemvMxfp4Shape& shape, Fill fill, Arena& arena) {
  const std::int64_t per_row = shape.k / kMxfp4Block;
  const auto bytes = [&arena](std::int64_t count, auto value) {
    const ConstView view = arena.Input(DType::kU8, count, Fill::kZero);
    auto* const data = static_cast<std::uint8_t*>(const_cast<void*>(view.data));
    for (std::int64_t i = 0; i < count; ++i) {
      data[i] = static_cast<std::uint8_t>(value(arena.random().Next()));
    }
    return view;
  };
  const auto scale = [fill](std::uint64_t random) -> std::uint64_t {
    constexpr std::uint64_t kEnds[] = {0, 1, 127, 254, 255};
    switch (fill) {
      case Fill::kOneHot:
        return kEnds[random % 5];
      case Fill::kNanRow:
        return random % 2 == 0 ? 255 : 127;
      case Fill::kWide:
        return 97 + random % 61;
      default:
        return 120 + random % 15;
    }
  };
  const GemvMxfp4Args args{
      .shape = shape,
      .blocks = bytes(shape.n * per_row * (kMxfp4Block / 2), [](std::uint64_t r) { return r; }),
      .scales = bytes(shape.n * per_row, scale),
      .x = arena.Input(DType::kF32, shape.k, fill == Fill::kNanRow ? Fill::kUniform : fill),
      .y = arena.Output(DType::kF32, shape.n)};
  // Per block and term: x is held within 4 u of itself, 2^-39 of the block's largest |x| and
  // 2^-151; eight steps of a tensor core add four terms each to a sum, every one of five addends
  // cut below 2 u of the largest; two sums and two products follow. Blocks then join one after the
  // other or by a tree.
  return {args, {{"y", args.y, [args, per_row](std::int64_t row) {
                    const auto* codes = static_cast<const std::uint8_t*>(args.blocks.data);
                    const auto* scales = static_cast<const std::uint8_t*>(args.scales.data);
                    double magnitude = 0, held = 0, tiny = 0;
                    for (std::int64_t b = 0; b < per_row; ++b) {
                      const double scale = Mxfp4Scale(scales[row * per_row + b]);
                      double largest = 0, weights = 0;
                      for (std::int64_t i = 0; i < kMxfp4Block; ++i) {
                        const std::int64_t at = row * args.shape.k + b * kMxfp4Block + i;
                        const unsigned code =
                            static_cast<unsigned>(codes[at / 2]) >> (i % 2 == 0 ? 0 : 4);
                        const double weight = std::abs(Mxfp4Value(code)) * scale;
                        const double x = std::abs(At(args.x, b * kMxfp4Block + i));
                        magnitude += weight * x;
                        weights += weight;
                        largest = std::isfinite(x) ? std::max(largest, x) : largest;
                      }
                      held += weights * (largest * 0x1p-39 + 0x1p-151);
                      tiny += kTiny * (2 + scale);
                    }
                    const double blocks = static_cast<double>(per_row);
                    return (4 + 8 * 5 * 2 + 8 + blocks / 4) * kUnit * magnitude + held + tiny;
                  }}}};
}

template <>
std::vector<GemvShape> Shapes<GemvArgs>() {
  return {{1, 1}, {2, 7}, {3, 64}, {5, 65}, {4, 136}, {7, 257}, {9, 1000}, {0, 3}};
}
template <>
std::vector<Fill> Fills<GemvArgs>() {
  return kSumFills;
}
template <>
Problem<GemvArgs> Make(const GemvShape& shape, Fill fill, Arena& arena) {
  const GemvArgs args{shape, arena.Input(shape.dtype, shape.n * shape.k, fill),
                      arena.Input(DType::kF32, shape.k, Fill::kUniform),
                      arena.Output(DType::kF32, shape.n)};
  return {args, {{"y", args.y, [args](std::int64_t row) {
                    return ProductOfRow(args.weight, args.x, row, args.shape.k).error;
                  }}}};
}

template <>
std::vector<DecodeAttentionShape> Shapes<DecodeAttentionArgs>() {
  return {{1, 1, 1, 1},
          {1, 4, 2, 34},
          {17, 32, 8, 64},
          {63, 14, 2, 64},
          {64, 6, 2, 128},
          {65, 3, 1, 136},
          {257, 10, 1, 7},
          {300, 9, 9, 256},
          {150, 8, 2, 128, DType::kF32, 3, 160},
          {70, 7, 1, 64, DType::kF32, 4, 70},
          {9, 2, 2, 5, DType::kF32, 0, 9}};
}
template <>
std::vector<Fill> Fills<DecodeAttentionArgs>() {
  return {Fill::kUniform, Fill::kSubnormal, Fill::kOneHot, Fill::kTies, Fill::kZero, Fill::kNanRow};
}
template <>
Problem<DecodeAttentionArgs> Make(const DecodeAttentionShape& shape, Fill fill, Arena& arena) {
  // Slots past the length stay NaN, twelve of them after the last sequence: a read of one would
  // show. Sequences of a batch differ in length.
  const std::int64_t slot = shape.kv_heads * shape.dim;
  const std::int64_t capacity = Capacity(shape);
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(shape.batch), shape.length);
  std::span<std::int32_t> given;
  if (shape.batch > 1) {
    given = arena.Integers<std::int32_t>(shape.batch);
    for (std::size_t b = 0; b < given.size(); ++b) {
      lengths[b] = 1 + (shape.length - 1 + static_cast<std::int64_t>(b) * 67) % shape.length;
      given[b] = static_cast<std::int32_t>(lengths[b]);
    }
  }
  const auto cache = [&](Fill kind) {
    const View view = arena.Output(shape.dtype, (shape.batch * capacity + 12) * slot);
    for (std::int64_t b = 0; b < shape.batch; ++b) {
      const std::int64_t filled = lengths[static_cast<std::size_t>(b)] * slot;
      const ConstView values = arena.Input(shape.dtype, filled, kind);
      for (std::int64_t i = 0; i < filled; ++i) {
        Put(view, b * capacity * slot + i, At(values, i));
      }
    }
    return view;
  };
  const std::int64_t queries = shape.batch * shape.heads * shape.dim;
  const DecodeAttentionArgs args{.shape = shape,
                                 .scale = 2.0f / std::sqrt(static_cast<float>(shape.dim)),
                                 .q = arena.Input(DType::kF32, queries, Fill::kUniform),
                                 .k = cache(fill),
                                 .v = cache(Fill::kUniform),
                                 .out = arena.Output(DType::kF32, queries),
                                 .lengths = given};
  // A score's error, from a chain of dim / 16 + 1 products, 4 levels and two roundings, is that of
  // its weight; |score - max| u and 2 u join it, and the rescaling of each chunk 3 u. Numerator and
  // denominator both carry it; slots then enter one by one.
  struct HeadShape {
    std::int64_t cols;
  };
  auto scores_of = PerRow(HeadShape{shape.dim}, [args, lengths](std::int64_t at) {
    const auto& s = args.shape;
    const std::int64_t b = at / (s.heads * s.dim);
    const std::int64_t kv = at / s.dim % s.heads / (s.heads / s.kv_heads);
    double largest = 0;
    for (std::int64_t t = 0; t < lengths[static_cast<std::size_t>(b)]; ++t) {
      const std::int64_t key = ((b * Capacity(s) + t) * s.kv_heads + kv) * s.dim;
      double magnitude = 0;
      for (std::int64_t d = 0; d < s.dim; ++d) {
        magnitude += std::abs(At(args.q, at + d) * At(args.k, key + d));
      }
      largest = std::max(largest, magnitude);
    }
    return largest * static_cast<double>(args.scale);
  });
  auto bound = [args, scores_of](std::int64_t i) mutable {
    const auto& s = args.shape;
    const double scores = scores_of(i);
    const double score_error = (static_cast<double>(s.dim) / 16 + 7) * scores;
    const double weight_error =
        score_error + 2 * scores + 2 + 3 * (static_cast<double>(s.length) / 64 + 1);
    // |v| <= 1 in these inputs.
    return (2 * weight_error + static_cast<double>(s.length) + 10) * kUnit + kTiny;
  };
  return {args, {{"out", args.out, bound}}};
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
