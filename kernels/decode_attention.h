// SPDX-License-Identifier: Apache-2.0
// decode_attention.h: attention of one new token over a cache, with grouped heads (GQA)
//
//   out[h,:] = sum_t softmax_t(scale * q[h,:] . k[t, h / group, :]) * v[t, h / group, :]
//
// q, out: f32 [heads, dim]; k, v: f32 or bf16 (shape.dtype) [capacity >= length, kv_heads, dim];
// group = heads / kv_heads. length >= 1, 1 <= dim <= 256. Slots from length on are never read.
// out may not overlap an input. With one slot the result is v, bit for bit.
// float32 inside. Slots are taken in chunks of 64 with a running maximum (Milakov, Gimelshein
// 2018). Moves 2 length kv_heads dim elements + 2 heads dim f32.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

inline constexpr std::int64_t kMaxHeadDim = 256;

struct DecodeAttentionShape {
  std::int64_t length = 0, heads = 0, kv_heads = 0, dim = 0;
  DType dtype = DType::kF32;
};

struct DecodeAttentionArgs {
  using Shape = DecodeAttentionShape;
  Shape shape;
  float scale = 1.0f;  // usually 1 / sqrt(dim)
  ConstView q, k, v;
  View out;
};

void Check(const DecodeAttentionArgs& args);
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
