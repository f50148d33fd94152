// SPDX-License-Identifier: Apache-2.0
// decode_attention.h: attention of one new token per sequence over its cache, with grouped heads
// (GQA)
//
//   out[b,h,:] = sum_t softmax_t(scale * q[b,h,:] . k[b,t, h / group, :]) * v[b,t, h / group, :]
//
// q, out: f32 [batch, heads, dim]; k, v: f32 or bf16 (shape.dtype) [batch, capacity, kv_heads,
// dim]; group = heads / kv_heads. batch >= 0, length >= 1, 1 <= dim <= 256; capacity >= length, or
// 0 for length. Sequence b has lengths[b] slots, or shape.length where `lengths` is empty; with
// `lengths`, shape.length is what time and bytes are reckoned by. Slots from the length on are
// never read. On the CPU a length outside 1..capacity is refused; on a device the sequence's
// outputs become NaN. out may not overlap an input. With one slot the result is v, bit for bit.
// float32 inside: neither q nor a weight is rounded to bf16. The running maximum is that of Milakov
// and Gimelshein (2018), over chunks of slots whose size depends on shape and device alone. On a
// device a head with an infinity in its k or v may become NaN where the formula gives a number.
// Moves 2 batch length kv_heads dim elements + 2 batch heads dim f32.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

inline constexpr std::int64_t kMaxHeadDim = 256;

struct DecodeAttentionShape {
  std::int64_t length = 0, heads = 0, kv_heads = 0, dim = 0;
  DType dtype = DType::kF32;
  std::int64_t batch = 1;
  std::int64_t capacity = 0;  // slots per sequence in k and v; 0: length
};

constexpr std::int64_t Capacity(const DecodeAttentionShape& shape) {
  return shape.capacity == 0 ? shape.length : shape.capacity;
}

struct DecodeAttentionArgs {
  using Shape = DecodeAttentionShape;
  Shape shape;
  float scale = 1.0f;  // usually 1 / sqrt(dim)
  ConstView q, k, v;
  View out;
  std::span<const std::int32_t> lengths{};
};

template <class In, class Out>
void VisitBuffers(DecodeAttentionArgs& args, In&& in, Out&& out) {
  in("q", args.q);
  in("k", args.k);
  in("v", args.v);
  in("lengths", args.lengths);
  out("out", args.out);
}

void Check(const DecodeAttentionArgs& args);
std::string Describe(const DecodeAttentionShape& shape);
Cost CostOf(const DecodeAttentionShape& shape);
void CheckValues(const DecodeAttentionArgs& args);
std::string_view DecodeAttentionSupports(const DecodeAttentionShape& shape);
void DecodeAttentionReference(const DecodeAttentionArgs& args, const Context& context);
void DecodeAttentionVector(const DecodeAttentionArgs& args, const Context& context);

template <>
struct Table<DecodeAttentionArgs> {
  static constexpr std::string_view op = "decode_attention";
  static constexpr std::array rows = {
      Row<DecodeAttentionArgs>{"reference",
                               Device::kCpu,
                               Isa::kGeneric,
                               {DType::kF32, DType::kBf16},
                               Numerics::kF64,
                               &DecodeAttentionSupports,
                               &DecodeAttentionReference},
      Row<DecodeAttentionArgs>{"vector",
                               Device::kCpu,
                               Isa::kGeneric,
                               {DType::kF32, DType::kBf16},
                               Numerics::kLanes,
                               &DecodeAttentionSupports,
                               &DecodeAttentionVector},
  };
};

}  // namespace kernels
