// SPDX-License-Identifier: Apache-2.0
// dot.cc: the problems of gemv, gemv_mxfp4, logits_argmax and gemm, which stream weights.
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
Trials<GemvArgs> TrialsOf() {
  Trials<GemvArgs> trials;
  trials.shapes = {{1, 1},
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
  // Several steps per row, teams of 1, 4 and 16 warps, more rows than one pass of the grid, few
  // rows in slices, x beyond shared memory.
  trials.large = {{896, 896},  {300, 4864}, {12000, 256}, {200, 12000}, {5, 40000},
                  {1, 100000}, {9000, 136}, {140, 65},    {2048, 2048}, {600, 8192}};
  trials.fills = kSumFills;
  return trials;
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
Trials<GemvMxfp4Args> TrialsOf() {
  Trials<GemvMxfp4Args> trials;
  trials.shapes = {{1, 32}, {2, 64}, {17, 96}, {5, 128}, {16, 160}, {33, 1056}, {3, 2880}, {0, 32}};
  // Teams of two and of eight warps, each with more rows than one pass of the grid; spans of one to
  // four steps, cut by the end of the row or not; several spans per warp; x beyond shared memory;
  // all tiles at once, one to three of them per block, or several times round a ring, the last in
  // part, with scales that end on no 16.
  trials.large = {{40000, 256}, {5760, 288},  {700, 2880},  {300, 14336}, {2048, 2048},
                  {9001, 1056}, {2200, 800},  {40, 4064},   {20, 65536},  {2201, 1056},
                  {2233, 4096}, {4300, 4096}, {6001, 1024}, {4505, 2080}, {20001, 3072}};
  // Codes are random. kOneHot also has scales at both ends of their range, kNanRow scales of NaN.
  trials.fills = {Fill::kUniform, Fill::kWide, Fill::kSubnormal, Fill::kSpecial,
                  Fill::kNanRow,  Fill::kTies, Fill::kOneHot,    Fill::kZero};
  return trials;
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
Trials<LogitsArgmaxArgs> TrialsOf() {
  Trials<LogitsArgmaxArgs> trials;
  trials.shapes = {{1, 1}, {2, 7}, {3, 64}, {40, 65}, {300, 136}, {7, 257}, {9, 1000}};
  trials.large = {{12000, 256}, {5000, 896}, {200, 12000}, {5, 40000}, {1, 100000}, {9000, 65}};
  trials.fills = kSumFills;
  return trials;
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
Trials<GemmArgs> TrialsOf() {
  Trials<GemmArgs> trials;
  const DType f32 = DType::kF32;
  trials.shapes = {{1, 1, 1},           {3, 5, 7},         {33, 17, 64},     {40, 65, 136},
                   {2, 3, 257},         {0, 4, 3},         {4, 0, 3},        {16, 64, 128},
                   {3, 24, 40, f32, 2}, {1, 9, 5, f32, 3}, {0, 4, 3, f32, 2}};
  trials.fills = {Fill::kUniform, Fill::kWide, Fill::kOneHot, Fill::kTies, Fill::kZero};
  return trials;
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
