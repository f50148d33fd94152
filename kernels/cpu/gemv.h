// SPDX-License-Identifier: Apache-2.0
// gemv.h: body of gemv (contract: kernels/gemv.h)
//
// Of one vector, reading the weights is all of the work, and what a core reads depends on the order
// of addresses. GB/s of one core of an AMD EPYC 9004 (32 KiB of L1, 1 MiB of L2), which reads 26 at
// most, bf16, by k:
//
//                                                   896   4864
//   one row after the other                          23     13
//   ... with lines 8 KiB ahead prefetched            21     21
//   ... with registers of 512 bits                   18     15
//   2 rows at once                                   11     14
//   4 rows at once, the next 4 prefetched            20     17
//
// Rows that follow each other are one stream, which the processor prefetches by itself; rows at
// once are several short ones, and wide registers run too far ahead of it (gemv.cc). Long rows need
// a hand: their x is pushed out of the L1 by the weights.
//
// Several vectors are bound by instructions. Blocks of 2 rows and 3 vectors, the most whose sums
// are in registers, need 5 loads for 6 products.
#pragma once

#include "kernels/cpu/lanes.h"
#include "kernels/gemv.h"

namespace kernels::cpu {

// Where x, in f32, is more than a quarter of an L1 of 32 KiB.
inline constexpr std::int64_t kLongRow = 2048;
inline constexpr std::int64_t kLine = 64;        // bytes
inline constexpr std::int64_t kAhead = 8 << 10;  // bytes; 4 KiB and 16 KiB are a tenth slower

// Asks for the line that is `bytes` past p, in the L2. There need not be one: a prefetch never
// faults.
template <class S>
void PrefetchPast(const void* p, std::int64_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(bytes);
  __builtin_prefetch(reinterpret_cast<const void*>(at), 0, 2);
}

// y[v * n + r] for each of the rows and vectors. ahead: bytes between what is read and what is
// prefetched; 0: nothing is.
template <class S, int rows, int vectors, class T>
void DotBlock(const T* weight, const float* x, std::int64_t k, float* y, std::int64_t n,
              std::int64_t ahead) {
  using V = typename S::V;
  V acc[rows][vectors][kAccumulators];
  for (auto& row : acc) {
    for (auto& sum : row) {
      for (V& a : sum) {
        a = S::Set(0);
      }
    }
  }
  constexpr std::int64_t step_bytes = rows * kBlock * sizeof(T);
  std::int64_t i = 0;
  for (; i + kBlock <= k; i += kBlock) {
    // As many lines as this step reads.
    for (std::int64_t line = 0; ahead != 0 && line < step_bytes; line += kLine) {
      PrefetchPast<S>(weight + rows * i, ahead + line);
    }
    for (int a = 0; a < kAccumulators; ++a) {
      const std::int64_t at = i + a * kLanes;
      V w[rows];
      for (int r = 0; r < rows; ++r) {
        w[r] = S::Load(weight + r * k + at, All{});
      }
      for (int v = 0; v < vectors; ++v) {
        const V element = S::Held(S::Load(x + v * k + at, All{}));
        for (int r = 0; r < rows; ++r) {
          acc[r][v][a] = S::Fma(w[r], element, acc[r][v][a]);
        }
      }
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      const auto& sums = acc[r][v];
      if (i == k) {
        y[v * n + r] = SumOf<S>(sums);
        continue;
      }
      // A copy: sums that Accumulate chooses by a variable would all have to live in memory.
      V rest[kAccumulators] = {sums[0], sums[1], sums[2], sums[3]};
      const T* const row = weight + r * k + i;
      const float* const vector = x + v * k + i;
      Accumulate<S>(k - i, rest, [=](V a, std::int64_t at, auto part) {
        return S::Fma(S::Load(row + at, part), S::Load(vector + at, part), a);
      });
      y[v * n + r] = SumOf<S>(rest);
    }
  }
}

// All rows and `vectors` vectors.
template <class S, int rows, int vectors, class T>
void DotBlocks(const T* weight, const float* x, std::int64_t k, float* y, std::int64_t n) {
  // Of rows at once, whole ones: a few lines ahead are lines of the first row only.
  const std::int64_t several = 4 * k * static_cast<std::int64_t>(sizeof(T));
  const std::int64_t ahead = rows > 1 ? several : (k > kLongRow ? kAhead : 0);
  std::int64_t row = 0;
  for (; row + rows <= n; row += rows) {
    DotBlock<S, rows, vectors>(weight + row * k, x, k, y + row, n, ahead);
  }
  for (; row < n; ++row) {
    DotBlock<S, 1, vectors>(weight + row * k, x, k, y + row, n, ahead);
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
    const std::int64_t m = args.shape.m;
    std::int64_t vector = 0;
    if constexpr (S::kWide) {
      for (; vector + 3 <= m; vector += 3) {
        DotBlocks<S, 2, 3>(weight, x + vector * k, k, y + vector * n, n);
      }
      if (vector + 2 == m) {
        DotBlocks<S, 3, 2>(weight, x + vector * k, k, y + vector * n, n);
        return;
      }
    }
    for (; vector < m; ++vector) {
      DotBlocks<S, 1, 1>(weight, x + vector * k, k, y + vector * n, n);
    }
  });
}

}  // namespace kernels::cpu
