// SPDX-License-Identifier: Apache-2.0
// gemv.h: body of gemv (contract: kernels/gemv.h)
//
// Reading the weights is all of the work, and what a core reads depends on the order of addresses.
// GB/s of one core of an AMD EPYC 9004 (1 MiB of L2; 26 is the most that it reads), bf16, k 896 /
// 4864:
//
//   one row after the other                                   24 / 13   rows stream on into the
//   next the same, x past a quarter of the L1 prefetched           21 / 19 2 rows at once 11 / 14
//   short streams, no prefetcher 4 rows at once                                            10 / 17
//   4 rows at once, the next 4 on their way to the L2         20 / 23   each load of x serves 4
//   rows
//
// So short rows go one by one. Where x is long, the weights push it out of the L1 and its loads
// cost as much as the weights': 4 rows share them.
#pragma once

#include "kernels/cpu/lanes.h"
#include "kernels/gemv.h"

namespace kernels::cpu {

// Where x, in f32, is more than a quarter of an L1 of 32 KiB.
inline constexpr std::int64_t kLongRow = 2048;
inline constexpr int kRowsAtOnce = 4;
inline constexpr std::int64_t kLine = 64;        // bytes
inline constexpr std::int64_t kAhead = 8 << 10;  // bytes; 4 KiB and 16 KiB are a tenth slower

// Asks for the line that is `bytes` past p, in the L2. There need not be one: a prefetch never
// faults.
template <class S>
void PrefetchPast(const void* p, std::int64_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(bytes);
  __builtin_prefetch(reinterpret_cast<const void*>(at), 0, 2);
}

// ahead: bytes between what is read and what is prefetched; 0: nothing is.
template <class S, std::int64_t ahead, class T>
float Dot(const T* weight, const float* x, std::int64_t k) {
  using V = typename S::V;
  V acc[kAccumulators] = {S::Set(0), S::Set(0), S::Set(0), S::Set(0)};
  Accumulate<S>(k, acc, [=](V a, std::int64_t i, auto part) {
    if constexpr (ahead != 0) {
      PrefetchPast<S>(weight + i, ahead);
    }
    return S::Fma(S::Load(weight + i, part), S::Load(x + i, part), a);
  });
  return SumOf<S>(acc);
}

// The bits of Dot for each of the rows.
template <class S, class T>
void DotRows(const T* weight, const float* x, std::int64_t k, float* y) {
  using V = typename S::V;
  V acc[kRowsAtOnce][kAccumulators];
  for (auto& row : acc) {
    for (V& a : row) {
      a = S::Set(0);
    }
  }
  constexpr std::int64_t step_bytes = kRowsAtOnce * kBlock * sizeof(T);
  const std::int64_t group_bytes = kRowsAtOnce * k * static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = 0;
  for (; i + kBlock <= k; i += kBlock) {
    // As many lines of the next group as this step reads of this one.
    for (std::int64_t line = 0; line < step_bytes; line += kLine) {
      PrefetchPast<S>(weight + kRowsAtOnce * i, group_bytes + line);
    }
    for (int a = 0; a < kAccumulators; ++a) {
      const std::int64_t at = i + a * kLanes;
      const V v = S::Load(x + at, All{});
      for (int r = 0; r < kRowsAtOnce; ++r) {
        acc[r][a] = S::Fma(S::Load(weight + r * k + at, All{}), v, acc[r][a]);
      }
    }
  }
  for (int r = 0; r < kRowsAtOnce; ++r) {
    const T* const row = weight + r * k + i;
    Accumulate<S>(k - i, acc[r], [=](V a, std::int64_t at, auto part) {
      return S::Fma(S::Load(row + at, part), S::Load(x + i + at, part), a);
    });
    y[r] = SumOf<S>(acc[r]);
  }
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
    if (k <= kLongRow) {
      for (; row < n; ++row) {
        y[row] = Dot<S, 0>(weight + row * k, x, k);
      }
      return;
    }
    if constexpr (S::kWide) {
      for (; row + kRowsAtOnce <= n; row += kRowsAtOnce) {
        DotRows<S>(weight + row * k, x, k, y + row);
      }
    }
    for (; row < n; ++row) {
      y[row] = Dot<S, kAhead>(weight + row * k, x, k);
    }
  });
}

}  // namespace kernels::cpu
