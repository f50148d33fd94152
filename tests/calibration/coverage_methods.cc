// SPDX-License-Identifier: Apache-2.0
#include "tests/calibration/coverage_methods.h"

#include <array>

#include "perfgate/stats/estimate/quantile_interval.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/stats/resample/bootstrap.h"
#include "perfgate/stats/resample/mean_intervals.h"

namespace perfgate::calibration {
namespace {

enum : std::size_t {
  kSignedRank,
  kStudent,
  kTrimmed,
  kMedianRanks,
  kStudentized,
  kPercentile,
  kBca,
  kMedianBootstrap,
  kMethods
};

constexpr std::array<Method, kMethods> kAll = {{
    {"**signed rank (CI95)**", &Noise::pseudomedian},
    {"Student t", &Noise::mean},
    {"20 % trimmed t", &Noise::trimmed_mean},
    {"order statistics, median", &Noise::median},
    {"bootstrap, studentized mean", &Noise::mean},
    {"bootstrap, percentile of the mean", &Noise::mean},
    {"bootstrap, BCa of the mean", &Noise::mean},
    {"bootstrap, percentile of the median", &Noise::median},
}};

constexpr double kPerSide = 0.025;

template <typename AnyInterval>
bool holds(const AnyInterval& interval, double target) {
  return interval.lo <= target && target <= interval.hi;
}

}  // namespace

std::span<const Method> methods() { return kAll; }

stats::Matrix draw_samples(const Noise& noise, std::size_t n, std::size_t cell,
                           const Batch& batch) {
  stats::Matrix d(n, batch.size());
  for (std::size_t trial = batch.first; trial < batch.last; ++trial) {
    Stream stream(cell, trial);
    for (std::size_t r = 0; r < n; ++r) {
      d(r, trial - batch.first) = noise.draw(stream);
    }
  }
  return d;
}

std::size_t count_default_hits(const stats::Matrix& d, const Noise& noise) {
  const stats::SignedRankCutoff cutoff =
      stats::signed_rank_cutoff(static_cast<std::int64_t>(d.rows), kPerSide);
  std::size_t hits = 0;
  for (std::size_t c = 0; c < d.cols; ++c) {
    hits += holds(stats::signed_rank_interval(d.column(c), cutoff), noise.pseudomedian) ? 1 : 0;
  }
  return hits;
}

void count_hits(const stats::Matrix& d, const Noise& noise, const stats::ResampleWeights& weights,
                std::span<std::size_t> hits) {
  const auto add = [&](std::size_t method, const auto& interval) {
    hits[method] += holds(interval, noise.*kAll[method].target) ? 1 : 0;
  };
  hits[kSignedRank] += count_default_hits(d, noise);
  for (std::size_t c = 0; c < d.cols; ++c) {
    const std::vector<double> sample = d.column(c);
    add(kStudent, stats::student_t_interval(sample));
    add(kTrimmed, stats::trimmed_t_interval(sample));
    add(kMedianRanks, stats::quantile_interval(sample, 0.5));
    add(kMedianBootstrap, stats::bootstrap_median(sample, weights));
  }
  for (const auto& [method, kind] : {std::pair{kStudentized, stats::BootstrapMethod::kStudentized},
                                     std::pair{kPercentile, stats::BootstrapMethod::kPercentile},
                                     std::pair{kBca, stats::BootstrapMethod::kBca}}) {
    for (const stats::NominalInterval& interval : stats::bootstrap_means(d, kind, weights)) {
      add(method, interval);
    }
  }
}

}  // namespace perfgate::calibration
