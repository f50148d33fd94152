// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/resample_weights.h"

#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/inference/sign_flips.h"

namespace perfgate::stats {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 27U;  // 1 GiB of doubles

}  // namespace

ResampleWeights resample_weights(std::size_t n, std::size_t resamples, std::uint64_t seed) {
  require(n >= 1, "resample_weights: no rounds");
  require(resamples >= 1, "resample_weights: needs at least one resample");
  require(n <= kMostEntries / resamples,
          "resample_weights: more than 2^27 weights (1 GiB); ask for fewer resamples");
  ResampleWeights weights{n, resamples, std::vector<double>(n * resamples, 0.0)};
  for (std::size_t b = 0; b < resamples; ++b) {
    double* counts = &weights.counts[b * n];
    for (std::size_t i = 0; i < n; ++i) {
      counts[bounded(splitmix64(seed, b * n + i), n)] += 1.0;
    }
  }
  return weights;
}

}  // namespace perfgate::stats
