// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/weighted_sums.h"

#include <cstring>

#include "perfgate/stats/estimate/preconditions.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define PERFGATE_X86_VERSIONS 1
#endif

namespace perfgate::stats {
namespace {

// Eight resamples at once; the compiler maps this to whatever vectors the target has.
constexpr std::size_t kLanes = 8;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
using FloatLanes = float __attribute__((vector_size(kLanes * sizeof(float))));

// kCases cases at a time: their sums stay in registers, and the additions of one need not wait for
// those of another. kSumBlock must be a multiple.
template <std::size_t kCases>
[[gnu::always_inline]] inline void product(const PackedWeights& weights, const SumRow* rows,
                                           double* sums) {
  for (std::size_t b = 0; b < weights.stride; b += kLanes) {
    for (std::size_t first = 0; first < kSumBlock; first += kCases) {
      Lanes total[kCases] = {};
      for (std::size_t i = 0; i < weights.n; ++i) {
        FloatLanes packed;
        std::memcpy(&packed, &weights.counts[i * weights.stride + b], sizeof packed);
        const Lanes count = __builtin_convertvector(packed, Lanes);
        // Unrolled, or the array of sums stays in memory.
#pragma GCC unroll 8
        for (std::size_t c = 0; c < kCases; ++c) {
          total[c] += count * rows[i][first + c];
        }
      }
#pragma GCC unroll 8
      for (std::size_t c = 0; c < kCases; ++c) {
        std::memcpy(&sums[(first + c) * weights.stride + b], &total[c], sizeof total[c]);
      }
    }
  }
}

using Version = void (*)(const PackedWeights&, const SumRow*, double*);

void for_any(const PackedWeights& weights, const SumRow* rows, double* sums) {
  product<2>(weights, rows, sums);
}

#ifdef PERFGATE_X86_VERSIONS
[[gnu::target("avx2")]] void for_avx2(const PackedWeights& weights, const SumRow* rows,
                                      double* sums) {
  product<4>(weights, rows, sums);
}

[[gnu::target("avx512f")]] void for_avx512(const PackedWeights& weights, const SumRow* rows,
                                           double* sums) {
  product<8>(weights, rows, sums);
}
#endif

Version best_version() {
#ifdef PERFGATE_X86_VERSIONS
  if (__builtin_cpu_supports("avx512f")) {
    return for_avx512;
  }
  if (__builtin_cpu_supports("avx2")) {
    return for_avx2;
  }
#endif
  return for_any;
}

}  // namespace

PackedWeights pack(const ResampleWeights& weights) {
  PackedWeights packed;
  packed.n = weights.n;
  packed.resamples = weights.resamples;
  packed.stride = (weights.resamples + kLanes - 1) / kLanes * kLanes;
  packed.counts.assign(packed.n * packed.stride, 0.0F);
  for (std::size_t b = 0; b < weights.resamples; ++b) {
    for (std::size_t i = 0; i < weights.n; ++i) {
      packed.counts[i * packed.stride + b] = static_cast<float>(weights.counts[b * weights.n + i]);
    }
  }
  return packed;
}

void weighted_sums(const PackedWeights& weights, std::span<const SumRow> rows,
                   std::span<double> sums) {
  require(rows.size() == weights.n && sums.size() == kSumBlock * weights.stride,
          "weighted_sums: sizes disagree");
  best_version()(weights, rows.data(), sums.data());
}

}  // namespace perfgate::stats
