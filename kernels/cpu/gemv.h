// SPDX-License-Identifier: Apache-2.0
// gemv.h: body of gemv (contract: kernels/gemv.h)
//
// One or two rows at a time, each in its own 4 accumulators, so that the weights stream through in
// order and a second row shares the loads of x.
#pragma once

#include "kernels/cpu/lanes.h"
#include "kernels/gemv.h"

namespace kernels::cpu {

template <class S, class T>
float Dot(const T* weight, const float* x, std::int64_t k) {
  using V = typename S::V;
  V acc[kAccumulators] = {S::Set(0), S::Set(0), S::Set(0), S::Set(0)};
  Accumulate<S>(k, acc, [=](V a, std::int64_t i, auto part) {
    return S::Fma(S::Load(weight + i, part), S::Load(x + i, part), a);
  });
  return SumOf<S>(acc);
}

// Two rows, the bits of Dot for each.
template <class S, class T>
void Dot2(const T* weight, const float* x, std::int64_t k, float* y) {
  using V = typename S::V;
  const V zero = S::Set(0);
  V acc0[kAccumulators] = {zero, zero, zero, zero};
  V acc1[kAccumulators] = {zero, zero, zero, zero};
  std::int64_t i = 0;
  for (; i + kBlock <= k; i += kBlock) {
    for (int a = 0; a < kAccumulators; ++a) {
      const std::int64_t at = i + a * kLanes;
      const V v = S::Load(x + at, All{});
      acc0[a] = S::Fma(S::Load(weight + at, All{}), v, acc0[a]);
      acc1[a] = S::Fma(S::Load(weight + k + at, All{}), v, acc1[a]);
    }
  }
  const auto rest = [=](V a, std::int64_t at, auto part, const T* row) {
    return S::Fma(S::Load(row + i + at, part), S::Load(x + i + at, part), a);
  };
  Accumulate<S>(k - i, acc0, [=](V a, std::int64_t at, auto p) { return rest(a, at, p, weight); });
  Accumulate<S>(k - i, acc1,
                [=](V a, std::int64_t at, auto p) { return rest(a, at, p, weight + k); });
  y[0] = SumOf<S>(acc0);
  y[1] = SumOf<S>(acc1);
}

template <class S>
void Gemv(const GemvArgs& args) {
  WithType<S>(args.shape.dtype, [&args]<class T>(T*) {
    const auto* weight = static_cast<const T*>(args.weight.data);
    const auto* x = static_cast<const float*>(args.x.data);
    auto* y = static_cast<float*>(args.y.data);
    const std::int64_t n = args.shape.n;
    const std::int64_t k = args.shape.k;
    std::int64_t row = 0;
    if constexpr (S::kWide) {
      for (; row + 2 <= n; row += 2) {
        Dot2<S>(weight + row * k, x, k, y + row);
      }
    }
    for (; row < n; ++row) {
      y[row] = Dot<S>(weight + row * k, x, k);
    }
  });
}

}  // namespace kernels::cpu
