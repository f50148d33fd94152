// SPDX-License-Identifier: Apache-2.0
// bootstrap.h: resampling intervals for a mean, all cases at once.
//
// For comparison and for imported data; perfgate decides nothing with them. At the 6 to 40 rounds
// that benchmarks have, the percentile and BCa intervals of a mean cover 74 to 95 % at nominal 95 %
// (docs/statistics.md), which is why the result is a NominalInterval.
//
// d: rounds x cases. weights.n must be d.rows. nominal in (0, 1). Results do not depend on the
// number of threads, the compiler or the vector width: every sum runs in one fixed order and no
// product is fused with a sum. Throw std::invalid_argument for non-finite values, no rounds, or
// sizes that disagree. Constant columns give an interval of width 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perfgate/stats/estimate/interval.h"
#include "perfgate/stats/estimate/matrix.h"
#include "perfgate/stats/resample/resample_weights.h"

namespace perfgate::stats {

enum class BootstrapMethod {
  kPercentile,  // quantiles of the resampled means (Efron, 1979)
  kBca,         // the same, bias-corrected and accelerated (Efron, 1987); jackknife acceleration
  kStudentized  // quantiles of (mean* - mean) / s* (Efron, 1982); needs n >= 3. Resamples whose s*
                // is 0 are left out
};

// One interval per case. threads: 0 = one per processor.
std::vector<NominalInterval> bootstrap_means(const Matrix& d, BootstrapMethod method,
                                             const ResampleWeights& weights, double nominal = 0.95,
                                             std::size_t threads = 1);

// The resampled means themselves, resamples x cases, for tests and joint questions.
Matrix resampled_means(const Matrix& d, const ResampleWeights& weights, std::size_t threads = 1);

// Percentile interval of the median of one case, for comparison with tools that print one.
NominalInterval bootstrap_median(std::span<const double> d, const ResampleWeights& weights,
                                 double nominal = 0.95);

// Values that come in sessions (runs, days): whole sessions are resampled, so that the spread
// between sessions counts (Davison and Hinkley, 1997, section 3.8). The estimate is the mean over
// sessions of the session means; weights.n must be sessions.size(). Every session has >= 1 value.
// With fewer than about 20 sessions it covers too little, like every percentile interval.
NominalInterval cluster_bootstrap(std::span<const std::vector<double>> sessions,
                                  const ResampleWeights& weights, double nominal = 0.95);

}  // namespace perfgate::stats
