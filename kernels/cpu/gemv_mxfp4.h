// SPDX-License-Identifier: Apache-2.0
// gemv_mxfp4.h: body of gemv_mxfp4 (contract: kernels/gemv_mxfp4.h)
//
// What bounds it is the number of instructions: a core of an AMD EPYC 9004 takes in 11 of the 24
// GB/s that it could read. So codes are decoded in the order in which a processor does that with
// the fewest steps, and x is brought into that order instead, once for 4 rows:
//
//   lane 2 i of a group of 16 elements is element i, lane 2 i + 1 is element 8 + i
//
// Per row, block b: p = code x of its first 16 elements, rounded, then p = fma(code, x, p) of the
// others; accumulator b % 4 takes fma(p, scale, acc). The accumulators join as in lanes.h. All rows
// go through the same steps, so a row's bits do not depend on those beside it.
#pragma once

#include <array>

#include "kernels/cpu/gemv.h"
#include "kernels/gemv_mxfp4.h"

namespace kernels::cpu {

// 2^(scale - 127) by scale; of 0 a subnormal, of 255 NaN.
constexpr std::array<float, 256> kMxfp4Scales = [] {
  std::array<float, 256> scales{};
  for (unsigned i = 0; i < scales.size(); ++i) {
    const unsigned bits = i == 0 ? 1U << 22U : (i == 255 ? 0x7fc00000U : i << 23U);
    scales[i] = __builtin_bit_cast(float, bits);
  }
  return scales;
}();

inline constexpr int kRowsAtOnce = 4;

template <class S, int rows>
void DotMxfp4(const std::uint8_t* codes, const std::uint8_t* scales, const float* x,
              std::int64_t blocks, float* y) {
  using V = typename S::V;
  constexpr std::int64_t kHalf = kMxfp4Block / 2;  // elements of a group, bytes of a block
  V acc[rows][kAccumulators];
  for (auto& row : acc) {
    for (V& a : row) {
      a = S::Set(0);
    }
  }
  const auto block = [&](std::int64_t b, int a) {
    PrefetchPast<S>(codes + b * rows * kHalf, kAhead);
    const V first = S::Interleave(S::Load(x + b * kMxfp4Block, All{}));
    const V second = S::Interleave(S::Load(x + b * kMxfp4Block + kHalf, All{}));
    for (int r = 0; r < rows; ++r) {
      const std::uint8_t* const at = codes + (r * blocks + b) * kHalf;
      V p = S::Mul(S::Mxfp4(at), first);
      p = S::Fma(S::Mxfp4(at + kHalf / 2), second, p);
      acc[r][a] = S::Fma(p, S::Set(kMxfp4Scales[scales[r * blocks + b]]), acc[r][a]);
    }
  };
  std::int64_t b = 0;
  for (; b + kAccumulators <= blocks; b += kAccumulators) {
    block(b, 0);
    block(b + 1, 1);
    block(b + 2, 2);
    block(b + 3, 3);
  }
  for (int a = 0; b < blocks; ++b, ++a) {
    block(b, a);
  }
  for (int r = 0; r < rows; ++r) {
    y[r] = SumOf<S>(acc[r]);
  }
}

template <class S>
void GemvMxfp4(const GemvMxfp4Args& args) {
  const auto* codes = static_cast<const std::uint8_t*>(args.blocks.data);
  const auto* scales = static_cast<const std::uint8_t*>(args.scales.data);
  const auto* x = static_cast<const float*>(args.x.data);
  auto* y = static_cast<float*>(args.y.data);
  const std::int64_t n = args.shape.n;
  const std::int64_t blocks = args.shape.k / kMxfp4Block;
  const std::int64_t bytes = args.shape.k / 2;
  std::int64_t row = 0;
  if constexpr (S::kWide) {
    for (; row + kRowsAtOnce <= n; row += kRowsAtOnce) {
      DotMxfp4<S, kRowsAtOnce>(codes + row * bytes, scales + row * blocks, x, blocks, y + row);
    }
  }
  for (; row < n; ++row) {
    DotMxfp4<S, 1>(codes + row * bytes, scales + row * blocks, x, blocks, y + row);
  }
}

}  // namespace kernels::cpu
