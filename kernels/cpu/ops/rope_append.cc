// SPDX-License-Identifier: Apache-2.0
#include "kernels/rope_append.h"

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {
namespace {

constexpr std::string_view kOp = Table<RopeAppendArgs>::op;

void CheckIndices(std::string_view name, std::span<const std::int32_t> indices,
                  std::int64_t limit) {
  for (const std::int32_t index : indices) {
    if (index < 0 || index >= limit) {
      throw Error(std::string(kOp) + ": " + std::string(name) + " has " + std::to_string(index) +
                  ", not in [0, " + std::to_string(limit) + ")");
    }
  }
}

}  // namespace

std::int64_t Slots(const RopeAppendArgs& args) {
  const std::int64_t slot = args.shape.kv_heads * args.shape.dim;
  return static_cast<std::int64_t>(std::min(args.k_cache.count, args.v_cache.count)) / slot;
}

std::int64_t TableRows(const RopeAppendArgs& args) {
  const std::int64_t half = args.shape.dim / 2;
  return static_cast<std::int64_t>(std::min(args.cos.count, args.sin.count)) / half;
}

void Check(const RopeAppendArgs& args) {
  const auto& shape = args.shape;
  const std::size_t all =
      Elements(kOp, {shape.tokens, shape.heads + 2 * shape.kv_heads, shape.dim});
  const std::size_t q = Elements(kOp, {shape.tokens, shape.heads, shape.dim});
  const std::size_t tokens = Elements(kOp, {shape.tokens});
  for (const auto& [name, indices] :
       {std::pair{"positions", args.positions}, std::pair{"slots", args.slots}}) {
    if (indices.size() < tokens) {
      throw Error(std::string(kOp) + ": " + name + " has " + std::to_string(indices.size()) +
                  " elements, expected " + std::to_string(tokens));
    }
  }
  CheckView(kOp, "qkv", args.qkv, all, shape.dtype);
  CheckView(kOp, "cos", args.cos, 0, DType::kF32);
  CheckView(kOp, "sin", args.sin, 0, DType::kF32);
  CheckView(kOp, "q", args.q, q, shape.dtype);
  CheckView(kOp, "k_cache", args.k_cache, 0, CacheDType(shape));
  CheckView(kOp, "v_cache", args.v_cache, 0, CacheDType(shape));
  struct Buffer {
    ConstView view;
    std::size_t count;
  };
  const Buffer outputs[] = {
      {args.q, q}, {args.k_cache, args.k_cache.count}, {args.v_cache, args.v_cache.count}};
  const Buffer inputs[] = {{args.qkv, all}, {args.cos, args.cos.count}, {args.sin, args.sin.count}};
  for (const Buffer& out : outputs) {
    for (const Buffer& in : inputs) {
      CheckOverlap(kOp, out.view, out.count, in.view, in.count, false);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const Buffer& other = outputs[(i + 1) % 3];
    CheckOverlap(kOp, outputs[i].view, outputs[i].count, other.view, other.count, false);
  }
}

void CheckValues(const RopeAppendArgs& args) {
  const auto tokens = static_cast<std::size_t>(args.shape.tokens);
  CheckIndices("positions", args.positions.first(tokens), TableRows(args));
  CheckIndices("slots", args.slots.first(tokens), Slots(args));
  std::vector<std::int32_t> slots(args.slots.begin(), args.slots.begin() + args.shape.tokens);
  std::sort(slots.begin(), slots.end());
  const auto twice = std::adjacent_find(slots.begin(), slots.end());
  if (twice != slots.end()) {
    throw Error(std::string(kOp) + ": slots has " + std::to_string(*twice) + " twice");
  }
}

std::string_view RopeAppendSupports(const RopeAppendShape& shape) {
  if (shape.dim < 2 || shape.dim % 2 != 0) {
    return "dim must be even and at least 2";
  }
  if (shape.heads < 1 || shape.kv_heads < 1) {
    return "heads and kv_heads must be at least 1";
  }
  const DType cache = CacheDType(shape);
  return cache == shape.dtype || (shape.dtype == DType::kF32 && cache == DType::kBf16)
             ? ""
             : "the cache must be of the dtype of qkv, or bf16 for f32";
}

void RopeAppendReference(const RopeAppendArgs& args, const Context&) {
  const auto& shape = args.shape;
  const std::int64_t half = shape.dim / 2;
  const std::int64_t all_heads = shape.heads + 2 * shape.kv_heads;
  for (std::int64_t token = 0; token < shape.tokens; ++token) {
    const std::int64_t angle = args.positions[static_cast<std::size_t>(token)] * half;
    const std::int64_t slot = args.slots[static_cast<std::size_t>(token)];
    for (std::int64_t head = 0; head < all_heads; ++head) {
      const std::int64_t from = (token * all_heads + head) * shape.dim;
      const bool is_q = head < shape.heads;
      const bool is_v = head >= shape.heads + shape.kv_heads;
      const std::int64_t kv_head = (head - shape.heads) % shape.kv_heads;
      const View out = is_q ? args.q : is_v ? args.v_cache : args.k_cache;
      const std::int64_t to = is_q ? (token * shape.heads + head) * shape.dim
                                   : (slot * shape.kv_heads + kv_head) * shape.dim;
      for (std::int64_t i = 0; i < half; ++i) {
        const double a = At(args.qkv, from + i);
        const double b = At(args.qkv, from + half + i);
        const double cos = At(args.cos, angle + i);
        const double sin = At(args.sin, angle + i);
        Put(out, to + i, is_v ? a : a * cos - b * sin);
        Put(out, to + half + i, is_v ? b : b * cos + a * sin);
      }
    }
  }
}

std::string Describe(const RopeAppendShape& s) {
  const DType cache = CacheDType(s);
  return JoinSizes(
      {{"tokens", s.tokens}, {"heads", s.heads}, {"kv_heads", s.kv_heads}, {"dim", s.dim}},
      cache == s.dtype ? std::string(Name(cache)) : FromTo(s.dtype, cache));
}

Cost CostOf(const RopeAppendShape& s) {
  const double q = Product({s.tokens, s.heads, s.dim});
  const double kv = Product({s.tokens, s.kv_heads, s.dim});
  return {(2 * q + 2 * kv) * ByteCount(s.dtype) + 2 * kv * ByteCount(CacheDType(s)) +
              Product({s.tokens, s.dim}) * 4,
          3 * (q + kv)};
}

}  // namespace kernels
