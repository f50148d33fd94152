// SPDX-License-Identifier: Apache-2.0
// attention.cc: the problems of decode_attention, which streams a cache.
#include <algorithm>
#include <cmath>

#include "kernels/element.h"
#include "tests/kernels/problem_parts.h"

namespace kernels::testing {

template <>
Trials<DecodeAttentionArgs> TrialsOf() {
  Trials<DecodeAttentionArgs> trials;
  trials.shapes = {{1, 1, 1, 1},
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
  // Chunks and waves, more chunks than lanes, batches with lengths of their own, groups of more
  // heads than a tile, one chunk.
  trials.large = {{1000, 32, 8, 64},
                  {2000, 14, 2, 64},
                  {1500, 8, 2, 128},
                  {3000, 20, 1, 128},
                  {5000, 4, 1, 64},
                  {777, 12, 4, 64, DType::kF32, 5, 1500},
                  {640, 8, 8, 128, DType::kF32, 40, 640},
                  {1100, 2, 1, 80},
                  {2100, 3, 1, 7},
                  {900, 4, 2, 256}};
  trials.fills = {Fill::kUniform, Fill::kSubnormal, Fill::kOneHot,
                  Fill::kTies,    Fill::kZero,      Fill::kNanRow};
  return trials;
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
