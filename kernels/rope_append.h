// SPDX-License-Identifier: Apache-2.0
// rope_append.h: rotates q and k of new tokens (rope.h) and writes k and v into their cache
//
//   q[t,h,:]                  = rope(qkv[t,h,:], positions[t])                     h < heads
//   k_cache[slots[t],h,:]     = rope(qkv[t, heads + h, :], positions[t])           h < kv_heads
//   v_cache[slots[t],h,:]     = qkv[t, heads + kv_heads + h, :]
//
// qkv: [tokens, heads + 2 kv_heads, dim], f32 or bf16; q: [tokens, heads, dim] of the same dtype;
// k_cache, v_cache: [slots, kv_heads, dim] of CacheDType(shape): that dtype, or bf16 for f32; cos,
// sin: f32 [table rows, dim/2]; positions, slots: [tokens]. tokens >= 0, heads and kv_heads >= 1,
// dim even and >= 2. As many slots and table rows as the views have room for. Nothing overlaps.
// float32 inside, rounded once to what is written.
// Slots must be distinct. On a device, where nobody looks at them before, a token whose position or
// slot is out of range gets a q of NaN and leaves the caches alone.
// Moves tokens (heads + 2 kv_heads) dim elements in and out + tokens dim f32 of table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct RopeAppendShape {
  std::int64_t tokens = 0, heads = 0, kv_heads = 0, dim = 0;
  DType dtype = DType::kF32;
  std::optional<DType> cache_dtype = {};  // default: dtype
};

constexpr DType CacheDType(const RopeAppendShape& shape) {
  return shape.cache_dtype.value_or(shape.dtype);
}

struct RopeAppendArgs {
  using Shape = RopeAppendShape;
  Shape shape;
  ConstView qkv;
  ConstView cos, sin;
  std::span<const std::int32_t> positions, slots;
  View q, k_cache, v_cache;
};

template <class In, class Out>
void VisitBuffers(RopeAppendArgs& args, In&& in, Out&& out) {
  in("qkv", args.qkv);
  in("cos", args.cos);
  in("sin", args.sin);
  in("positions", args.positions);
  in("slots", args.slots);
  out("q", args.q);
  out("k_cache", args.k_cache);
  out("v_cache", args.v_cache);
}

// What both caches have room for, and both tables. Needs a shape that RopeAppendSupports.
std::int64_t Slots(const RopeAppendArgs& args);
std::int64_t TableRows(const RopeAppendArgs& args);

void Check(const RopeAppendArgs& args);
std::string Describe(const RopeAppendShape& shape);
Cost CostOf(const RopeAppendShape& shape);
void CheckValues(const RopeAppendArgs& args);
std::string_view RopeAppendSupports(const RopeAppendShape& shape);
void RopeAppendReference(const RopeAppendArgs& args, const Context& context);

template <>
struct Table<RopeAppendArgs> {
  static constexpr std::string_view op = "rope_append";
  static constexpr std::array rows = {
      Row<RopeAppendArgs>{"reference",
                          Device::kCpu,
                          Isa::kGeneric,
                          {DType::kF32, DType::kBf16},
                          Numerics::kF64,
                          &RopeAppendSupports,
                          &RopeAppendReference},
  };
};

}  // namespace kernels
