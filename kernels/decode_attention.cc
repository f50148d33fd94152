// SPDX-License-Identifier: Apache-2.0
#include "kernels/decode_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/element.h"

namespace kernels {

void Check(const DecodeAttentionArgs& args) {
  constexpr auto kOp = Table<DecodeAttentionArgs>::op;
  const auto& shape = args.shape;
  const std::size_t queries = Elements(kOp, {shape.heads, shape.dim});
  const std::size_t slots = Elements(kOp, {shape.length, shape.kv_heads, shape.dim});
  if (!std::isfinite(args.scale)) {
    throw Error("decode_attention: scale is not finite");
  }
  CheckView(kOp, "q", args.q, queries, DType::kF32);
  CheckView(kOp, "k", args.k, slots, shape.dtype);
  CheckView(kOp, "v", args.v, slots, shape.dtype);
  CheckView(kOp, "out", args.out, queries, DType::kF32);
  CheckOverlap(kOp, args.out, queries, args.q, queries, false);
  CheckOverlap(kOp, args.out, queries, args.k, slots, false);
  CheckOverlap(kOp, args.out, queries, args.v, slots, false);
}

std::string_view DecodeAttentionSupports(const DecodeAttentionShape& shape) {
  if (shape.length < 1) {
    return "length must be at least 1";
  }
  if (shape.kv_heads < 1 || shape.heads < 1 || shape.heads % shape.kv_heads != 0) {
    return "heads must be a positive multiple of kv_heads";
  }
  return shape.dim < 1 || shape.dim > kMaxHeadDim ? "dim must be between 1 and 256" : "";
}

void DecodeAttentionReference(const DecodeAttentionArgs& args, const Context&) {
  const auto& shape = args.shape;
  const std::int64_t group = shape.heads / shape.kv_heads;
  std::vector<double> weight(static_cast<std::size_t>(shape.length));
  for (std::int64_t head = 0; head < shape.heads; ++head) {
    const auto slot_at = [&](std::size_t slot) {
      return (static_cast<std::int64_t>(slot) * shape.kv_heads + head / group) * shape.dim;
    };
    double max = -std::numeric_limits<double>::infinity();
    for (std::size_t slot = 0; slot < weight.size(); ++slot) {
      double score = 0;
      for (std::int64_t i = 0; i < shape.dim; ++i) {
        score += At(args.q, head * shape.dim + i) * At(args.k, slot_at(slot) + i);
      }
      weight[slot] = score * static_cast<double>(args.scale);
      max = std::max(max, weight[slot]);
    }
    double total = 0;
    for (double& w : weight) {
      w = std::exp(w - max);
      total += w;
    }
    for (std::int64_t i = 0; i < shape.dim; ++i) {
      double sum = 0;
      for (std::size_t slot = 0; slot < weight.size(); ++slot) {
        sum += weight[slot] * At(args.v, slot_at(slot) + i);
      }
      Put(args.out, head * shape.dim + i, sum / total);
    }
  }
}

void DecodeAttentionVector(const DecodeAttentionArgs& args, const Context& context) {
  cpu::For(context.isa).decode_attention(args);
}

}  // namespace kernels
