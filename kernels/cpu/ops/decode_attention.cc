// SPDX-License-Identifier: Apache-2.0
#include "kernels/decode_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"
#include "kernels/element.h"

namespace kernels {

void Check(const DecodeAttentionArgs& args) {
  constexpr auto kOp = Table<DecodeAttentionArgs>::op;
  const auto& shape = args.shape;
  const std::size_t queries = Elements(kOp, {shape.batch, shape.heads, shape.dim});
  const std::size_t slots =
      Elements(kOp, {shape.batch, Capacity(shape), shape.kv_heads, shape.dim});
  if (!std::isfinite(args.scale)) {
    throw Error("decode_attention: scale is not finite");
  }
  if (!args.lengths.empty() && args.lengths.size() < static_cast<std::size_t>(shape.batch)) {
    throw Error("decode_attention: lengths has " + std::to_string(args.lengths.size()) +
                " elements, expected " + std::to_string(shape.batch));
  }
  CheckView(kOp, "q", args.q, queries, DType::kF32);
  CheckView(kOp, "k", args.k, slots, shape.dtype);
  CheckView(kOp, "v", args.v, slots, shape.dtype);
  CheckView(kOp, "out", args.out, queries, DType::kF32);
  CheckOverlap(kOp, args.out, queries, args.q, queries, false);
  CheckOverlap(kOp, args.out, queries, args.k, slots, false);
  CheckOverlap(kOp, args.out, queries, args.v, slots, false);
}

void CheckValues(const DecodeAttentionArgs& args) {
  if (args.lengths.empty()) {
    return;
  }
  for (const std::int32_t length : args.lengths.first(static_cast<std::size_t>(args.shape.batch))) {
    if (length < 1 || length > Capacity(args.shape)) {
      throw Error("decode_attention: a length is outside 1.." +
                  std::to_string(Capacity(args.shape)) + ": " + std::to_string(length));
    }
  }
}

std::string_view DecodeAttentionSupports(const DecodeAttentionShape& shape) {
  if (shape.length < 1) {
    return "length must be at least 1";
  }
  if (shape.capacity != 0 && shape.capacity < shape.length) {
    return "capacity must be 0 or at least length";
  }
  if (shape.batch < 0) {
    return "batch must not be negative";
  }
  if (shape.kv_heads < 1 || shape.heads < 1 || shape.heads % shape.kv_heads != 0) {
    return "heads must be a positive multiple of kv_heads";
  }
  return shape.dim < 1 || shape.dim > kMaxHeadDim ? "dim must be between 1 and 256" : "";
}

namespace {

// The arguments of one sequence alone.
DecodeAttentionArgs Sequence(const DecodeAttentionArgs& args, std::int64_t b) {
  const auto part = [b]<class V>(V view, std::int64_t elements) {
    using Byte = std::conditional_t<std::is_same_v<V, View>, std::byte, const std::byte>;
    const auto size = static_cast<std::size_t>(elements);
    return V(
        static_cast<Byte*>(view.data) + static_cast<std::size_t>(b) * size * ByteSize(view.dtype),
        size, view.dtype);
  };
  const std::int64_t queries = args.shape.heads * args.shape.dim;
  const std::int64_t slots = Capacity(args.shape) * args.shape.kv_heads * args.shape.dim;
  DecodeAttentionArgs one{.shape = args.shape,
                          .scale = args.scale,
                          .q = part(args.q, queries),
                          .k = part(args.k, slots),
                          .v = part(args.v, slots),
                          .out = part(args.out, queries)};
  one.shape.batch = 1;
  one.shape.capacity = 0;
  if (!args.lengths.empty()) {
    one.shape.length = args.lengths[static_cast<std::size_t>(b)];
  }
  return one;
}

void ReferenceOfSequence(const DecodeAttentionArgs& args) {
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

}  // namespace

void DecodeAttentionReference(const DecodeAttentionArgs& args, const Context&) {
  for (std::int64_t b = 0; b < args.shape.batch; ++b) {
    ReferenceOfSequence(Sequence(args, b));
  }
}

void DecodeAttentionVector(const DecodeAttentionArgs& args, const Context& context) {
  for (std::int64_t b = 0; b < args.shape.batch; ++b) {
    cpu::For(context.isa).decode_attention(Sequence(args, b));
  }
}

std::string Describe(const DecodeAttentionShape& s) {
  std::string text = JoinSizes(
      {{"length", s.length}, {"heads", s.heads}, {"kv_heads", s.kv_heads}, {"dim", s.dim}},
      Name(s.dtype));
  // Only where they differ from what recorded names mean.
  if (s.batch != 1) {
    text.append("/batch:").append(std::to_string(s.batch));
  }
  if (Capacity(s) != s.length) {
    text.append("/capacity:").append(std::to_string(s.capacity));
  }
  return text;
}

// Scores and weighted sum of every head; the exponentials are small beside them.
Cost CostOf(const DecodeAttentionShape& s) {
  return {2 * Product({s.batch, s.length, s.kv_heads, s.dim}) * ByteCount(s.dtype) +
              2 * Product({s.batch, s.heads, s.dim}) * 4,
          4 * Product({s.batch, s.length, s.heads, s.dim})};
}

}  // namespace kernels
