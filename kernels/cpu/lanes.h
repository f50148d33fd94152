// SPDX-License-Identifier: Apache-2.0
// lanes.h: what the kernel bodies are written in: 16 virtual lanes of float32, on any hardware.
//
// A body is a template over S, the lanes of one instruction set level (generic.cc, avx2.cc,
// avx512.cc). S lives in an unnamed namespace, so every instantiation is local to its object file:
// code compiled for AVX-512 can never be picked by the linker for an older machine. For the same
// reason bodies call no inline function that is not a template over S.
//
// All levels give the same bits because the order of every operation is written here, once:
//  - a sum runs in 4 accumulators of 16 lanes: element i goes to accumulator (i / 16) % 4, lane
//    i % 16, in order of i;
//  - the accumulators are added as (0 + 1) + (2 + 3), then lanes 8 apart, 4, 2 and 1 apart;
//  - products join a sum by fused multiply-add; the compiler contracts nothing on its own.
//
// S provides, with V the 16 lanes and p a pointer to float or Bf16:
//   Load(p, All{}), Load(p, First{n})   0 < n < 16; lanes from n on are 0
//   Store(p, v, All{}), Store(p, v, First{n})   to Bf16: nearest even, NaN kept (bf16.h)
//   Fill(v, All{}, x) = v; Fill(v, First{n}, x) has x in the lanes from n on
//   Held(v) = v, kept in a register where there are enough of them
//   Set(x), Add, Sub, Mul, Div, Fma(a, b, c) = ab + c, Fnma(a, b, c) = -ab + c
//   Max(a, b) = a > b ? a : b, Min(a, b) = a < b ? a : b   (b when either is NaN)
//   Sum(v), MaxOf(v)                    over lanes, 8, 4, 2 and 1 apart
//   Sum4(a, b, c, d, out)               out[0..4) = Sum of each
//   NegativeAbs(v), IfNegative(s, a, b) by the sign bit of s
//   ScaleByPowerOf2(v, n, t)            v * 2^n rounded once, 0.5 < v < 2, n an integer in
//                                       [-151, 129], t = n + kRoundShift; NaN where v is NaN
//   Mxfp4(p)                            the 16 codes of 4 bits in p[0..8) as numbers
//   (gemv_mxfp4.h),
//                                       code i in lane 2 i, code 8 + i in lane 2 i + 1
//   Interleave(v)                       lane i in lane 2 i, lane 8 + i in lane 2 i + 1
//   Above(a, b), AtLeast(a, b)          bit j set where lane j is a > b, a >= b
//   kWide                               bodies may keep 24 V of sums (true) or 4 (false)
#pragma once

#include <cstdint>

#include "kernels/types.h"

namespace kernels::cpu {

struct All {};
struct First {
  int n;
};

inline constexpr std::int64_t kLanes = 16;
inline constexpr int kAccumulators = 4;
inline constexpr std::int64_t kBlock = kLanes * kAccumulators;

// 1.5 * 2^23: adding it to |x| < 2^22 rounds x to an integer and leaves it in the low bits.
inline constexpr float kRoundShift = 12582912.0f;
inline constexpr float kInfinity = __builtin_inff();

// f(i, All{}) for each full group of lanes, then f(i, First{n}) for what is left.
template <class S, class F>
void ForLanes(std::int64_t count, F f) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    f(i, All{});
  }
  if (i < count) {
    f(i, First{static_cast<int>(count - i)});
  }
}

// acc[a] = f(acc[a], i, All{} or First{n}) in the stated order.
template <class S, class F>
void Accumulate(std::int64_t count, typename S::V (&acc)[kAccumulators], F f) {
  std::int64_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    acc[0] = f(acc[0], i, All{});
    acc[1] = f(acc[1], i + kLanes, All{});
    acc[2] = f(acc[2], i + 2 * kLanes, All{});
    acc[3] = f(acc[3], i + 3 * kLanes, All{});
  }
  for (int a = 0; i < count; i += kLanes, ++a) {
    acc[a] = i + kLanes <= count ? f(acc[a], i, All{})
                                 : f(acc[a], i, First{static_cast<int>(count - i)});
  }
}

template <class S>
float SumOf(const typename S::V (&acc)[kAccumulators]) {
  return S::Sum(S::Add(S::Add(acc[0], acc[1]), S::Add(acc[2], acc[3])));
}

// Calls f with the address as the element type that dtype names.
template <class S, class F>
void WithType(DType dtype, F f) {
  if (dtype == DType::kF32) {
    f(static_cast<float*>(nullptr));
  } else {
    f(static_cast<Bf16*>(nullptr));
  }
}

}  // namespace kernels::cpu
