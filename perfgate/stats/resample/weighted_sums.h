// SPDX-License-Identifier: Apache-2.0
// weighted_sums.h: the matrix product behind the bootstrap, for a block of cases.
//
// Bit for bit the same with every vector width: each sum runs over the rounds in ascending order,
// and the library is compiled without fused multiply-add (-ffp-contract=off).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "perfgate/stats/resample/resample_weights.h"

namespace perfgate::stats {

// The weights as the product wants them: [n * stride], round by round, resamples contiguous and
// padded with 0 to a multiple of 8. Counts are whole numbers far below 2^24, so float holds them
// exactly and moves half the bytes.
struct PackedWeights {
  std::size_t n = 0;
  std::size_t resamples = 0;
  std::size_t stride = 0;
  std::vector<float> counts;
};

PackedWeights pack(const ResampleWeights& weights);

// Cases handled together: they share the reading of the weights.
inline constexpr std::size_t kSumBlock = 8;
using SumRow = std::array<double, kSumBlock>;

// sums[c * stride + b] = sum over i of counts of round i in resample b * rows[i][c], i ascending.
// rows: [n]; sums: [kSumBlock * stride].
void weighted_sums(const PackedWeights& weights, std::span<const SumRow> rows,
                   std::span<double> sums);

}  // namespace perfgate::stats
