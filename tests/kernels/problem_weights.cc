// SPDX-License-Identifier: Apache-2.0
// problem_weights.cc: the problems of gemv, logits_argmax, gemv_mxfp4 and decode_attention, which
// stream weights or a cache.
#include <algorithm>
#include <cmath>

#include "kernels/element.h"
#include "tests/kernels/problem_parts.h"

namespace kernels::testing {
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
  return {{1, 1},
          {2, 7},
          {3, 64},
          {5, 65},
          {4, 136},
          {7, 257},
          {9, 1000},
          {0, 3},
          {6, 2113},
          {5, 136, DType::kF32, 0},
          {7, 257, DType::kF32, 2},
          {8, 192, DType::kF32, 3},
          {5, 65, DType::kF32, 8},
          {7, 2113, DType::kF32, 4}};
}
template <>
std::vector<Fill> Fills<GemvArgs>() {
  return kSumFills;
}
template <>
Problem<GemvArgs> Make(const GemvShape& shape, Fill fill, Arena& arena) {
  const GemvArgs args{shape, arena.Input(shape.dtype, shape.n * shape.k, fill),
                      arena.Input(DType::kF32, shape.m * shape.k, Fill::kUniform),
                      arena.Output(DType::kF32, shape.m * shape.n)};
  return {args, {{"y", args.y, [args](std::int64_t i) {
                    const std::int64_t k = args.shape.k;
                    const auto* const x =
                        static_cast<const float*>(args.x.data) + i / args.shape.n * k;
                    return ProductOfRow(args.weight, {x, static_cast<std::size_t>(k), DType::kF32},
                                        i % args.shape.n, k)
                        .error;
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

}  // namespace kernels::testing
