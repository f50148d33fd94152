// SPDX-License-Identifier: Apache-2.0
// gemv_mxfp4.h: y[n] = sum_k weight[n,k] * x[k] with weights in MXFP4 (OCP microscaling)
//
// weight[n,k] = 2^(scales[n, k / 32] - 127) * the value of one 4-bit code. blocks: u8
// [n, k / 32, 16], two codes per byte, the low nibble the element of the lower, even index; scales:
// u8 [n, k / 32]. Another common layout keeps 17-byte blocks with elements 0 to 15 in the low
// nibbles: it must be repacked. x: f32 [k]; y: f32 [n]. n >= 0; k >= 32, a multiple of 32. y may
// not overlap an input. Codes are E2M1: sign, two bits of exponent, one of fraction: 0, 0.5,
// 1, 1.5, 2, 3, 4, 6 and their negatives. A scale of 0 is 2^-127, one of 255 is NaN. float32
// inside: a block's sum is float32 before its scale multiplies it, products are not rounded to
// fewer bits than x has. A device implementation may hold x within 2^-22 of itself plus 2^-39 of
// the largest finite |x| of its block plus 2^-151. A row's result does not depend on the rows
// beside it. Moves n k / 2 + n k / 32 bytes of weights + (k + n) f32.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

inline constexpr std::int64_t kMxfp4Block = 32;

struct GemvMxfp4Shape {
  std::int64_t n = 0, k = 0;
  DType dtype = DType::kU8;
};

struct GemvMxfp4Args {
  using Shape = GemvMxfp4Shape;
  Shape shape;
  ConstView blocks, scales, x;
  View y;
};

template <class In, class Out>
void VisitBuffers(GemvMxfp4Args& args, In&& in, Out&& out) {
  in("blocks", args.blocks);
  in("scales", args.scales);
  in("x", args.x);
  out("y", args.y);
}

// The value of a code, of which only the low four bits count.
constexpr double Mxfp4Value(unsigned code) {
  constexpr double kMagnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const double magnitude = kMagnitudes[code & 7U];
  return (code & 8U) != 0 ? -magnitude : magnitude;
}

// 2^(scale - 127), NaN for 255.
double Mxfp4Scale(std::uint8_t scale);

void Check(const GemvMxfp4Args& args);
std::string Describe(const GemvMxfp4Shape& shape);
Cost CostOf(const GemvMxfp4Shape& shape);
std::string_view GemvMxfp4Supports(const GemvMxfp4Shape& shape);
void GemvMxfp4Reference(const GemvMxfp4Args& args, const Context& context);
void GemvMxfp4Vector(const GemvMxfp4Args& args, const Context& context);

template <>
struct Table<GemvMxfp4Args> {
  static constexpr std::string_view op = "gemv_mxfp4";
  static constexpr std::array rows = {
      Row<GemvMxfp4Args>{"reference",
                         Device::kCpu,
                         Isa::kGeneric,
                         {DType::kU8},
                         Numerics::kF64,
                         &GemvMxfp4Supports,
                         &GemvMxfp4Reference},
      Row<GemvMxfp4Args>{"vector",
                         Device::kCpu,
                         Isa::kGeneric,
                         {DType::kU8},
                         Numerics::kLanes,
                         &GemvMxfp4Supports,
                         &GemvMxfp4Vector},
  };
};

}  // namespace kernels
