// SPDX-License-Identifier: Apache-2.0
// rope.cc: the problems of rope and rope_append.
#include <cmath>

#include "kernels/element.h"
#include "tests/kernels/problem_parts.h"

namespace kernels::testing {
namespace {

constexpr std::int64_t kRopePositions = 100;

struct RopeTables {
  ConstView cos, sin;
};

RopeTables MakeRopeTables(std::int64_t half, Arena& arena) {
  const ConstView cos = arena.Input(DType::kF32, kRopePositions * half, Fill::kZero);
  const ConstView sin = arena.Input(DType::kF32, kRopePositions * half, Fill::kZero);
  for (std::int64_t i = 0; i < kRopePositions * half; ++i) {
    const double frequency =
        std::pow(10000.0, -static_cast<double>(i % half) / static_cast<double>(half));
    const auto position = static_cast<double>(i - i % half) / static_cast<double>(half);
    const double angle = position * frequency;
    Put({const_cast<void*>(cos.data), cos.count, DType::kF32}, i, std::cos(angle));
    Put({const_cast<void*>(sin.data), sin.count, DType::kF32}, i, std::sin(angle));
  }
  return {cos, sin};
}

// Of the element that came from x[i]: one product is rounded, then the fused sum.
double RotationBound(ConstView x, std::int64_t i, std::int64_t dim) {
  const std::int64_t low = i % dim < dim / 2 ? i : i - dim / 2;
  return 2 * kUnit * (std::abs(At(x, low)) + std::abs(At(x, low + dim / 2))) + 2 * kTiny;
}

}  // namespace

template <>
Trials<RopeArgs> TrialsOf() {
  Trials<RopeArgs> trials;
  trials.shapes = {{3, 2, 2},   {2, 3, 34}, {1, 14, 64}, {5, 2, 128},
                   {1, 1, 136}, {0, 2, 8},  {2, 0, 8}};
  trials.large = {{1000, 32, 128}, {999, 33, 64}};
  return trials;
}

template <>
Problem<RopeArgs> Make(const RopeShape& shape, Fill fill, Arena& arena) {
  const std::int64_t all = shape.tokens * shape.heads * shape.dim;
  const RopeTables tables = MakeRopeTables(shape.dim / 2, arena);
  auto positions = arena.Integers<std::int32_t>(shape.tokens);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    positions[t] = static_cast<std::int32_t>((t * 67) % kRopePositions);
  }
  const RopeArgs args{.shape = shape,
                      .x = arena.Input(shape.dtype, all, fill),
                      .cos = tables.cos,
                      .sin = tables.sin,
                      .positions = positions,
                      .y = arena.Output(shape.dtype, all)};
  return {
      args,
      {{"y", args.y, [args](std::int64_t i) { return RotationBound(args.x, i, args.shape.dim); }}}};
}

template <>
Trials<RopeAppendArgs> TrialsOf() {
  Trials<RopeAppendArgs> trials;
  trials.shapes = {{3, 2, 1, 2},   {2, 3, 3, 34}, {1, 14, 2, 64}, {5, 4, 2, 128},
                   {2, 7, 1, 136}, {9, 1, 1, 64}, {0, 2, 1, 8}};
  for (std::size_t i = 0, n = trials.shapes.size(); i < n; ++i) {
    trials.shapes.push_back(trials.shapes[i]);
    trials.shapes.back().cache_dtype = DType::kBf16;
  }
  trials.large = {
      {1000, 32, 8, 128}, {999, 14, 2, 64}, {700, 32, 8, 64, DType::kF32, DType::kBf16}};
  return trials;
}

template <>
Problem<RopeAppendArgs> Make(const RopeAppendShape& shape, Fill fill, Arena& arena) {
  // A few slots more than tokens, filled from the back; the others stay NaN on both sides.
  const std::int64_t slots = shape.tokens + 3;
  const std::int64_t slot = shape.kv_heads * shape.dim;
  const std::int64_t all_heads = shape.heads + 2 * shape.kv_heads;
  const RopeTables tables = MakeRopeTables(shape.dim / 2, arena);
  auto positions = arena.Integers<std::int32_t>(shape.tokens);
  auto rows = arena.Integers<std::int32_t>(shape.tokens);
  for (std::size_t t = 0; t < positions.size(); ++t) {
    positions[t] = static_cast<std::int32_t>((t * 67) % kRopePositions);
    rows[t] = static_cast<std::int32_t>(static_cast<std::size_t>(slots) - 1 - t);
  }
  const RopeAppendArgs args{
      .shape = shape,
      .qkv = arena.Input(shape.dtype, shape.tokens * all_heads * shape.dim, fill),
      .cos = tables.cos,
      .sin = tables.sin,
      .positions = positions,
      .slots = rows,
      .q = arena.Output(shape.dtype, shape.tokens * shape.heads * shape.dim),
      .k_cache = arena.Output(CacheDType(shape), slots * slot),
      .v_cache = arena.Output(CacheDType(shape), slots * slot)};
  const auto q_bound = [args, all_heads](std::int64_t i) {
    const auto& s = args.shape;
    const std::int64_t token = i / (s.heads * s.dim);
    return RotationBound(args.qkv, i + token * (all_heads - s.heads) * s.dim, s.dim);
  };
  const auto k_bound = [args, all_heads, slots, slot](std::int64_t i) {
    const auto& s = args.shape;
    const std::int64_t token = slots - 1 - i / slot;
    const std::int64_t from = (token * all_heads + s.heads) * s.dim + i % slot;
    return RotationBound(args.qkv, from, s.dim);
  };
  return {
      args,
      {{"q", args.q, q_bound}, {"k_cache", args.k_cache, k_bound}, Exact("v_cache", args.v_cache)}};
}

}  // namespace kernels::testing
