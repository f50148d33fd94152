// SPDX-License-Identifier: Apache-2.0
// resample_weights.h: how often each round enters each bootstrap resample.
//
// A resample of n rounds is a vector of n counts that add up to n, so a resampled mean is a dot
// product and the resampled means of all cases are one matrix product. The matrix is made once per
// n and shared by all cases: every case sees the same resampled rounds, which keeps the cases'
// correlation, and the random numbers cost nothing per case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfgate::stats {

inline constexpr std::size_t kDefaultResamples = 10000;

// counts: [resamples * n], resample b uses round i counts[b * n + i] times; every row adds up to n.
struct ResampleWeights {
  std::size_t n = 0;
  std::size_t resamples = 0;
  std::vector<double> counts;
};

// Draw i of resample b is output b * n + i of SplitMix64(seed) (sign_flips.h), so the matrix is the
// same on every machine and for any number of threads. n, resamples >= 1. Throws
// std::invalid_argument otherwise, and where the matrix would have more than 2^27 entries (1 GiB).
ResampleWeights resample_weights(std::size_t n, std::size_t resamples = kDefaultResamples,
                                 std::uint64_t seed = 1);

}  // namespace perfgate::stats
