// SPDX-License-Identifier: Apache-2.0
#include "tests/calibration/tally.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/resample/parallel.h"
#include "tests/calibration/program.h"

namespace perfgate::calibration {

std::vector<std::size_t> tally(
    std::size_t trials, std::size_t threads, std::size_t counters,
    const std::function<void(const Batch&, std::span<std::size_t>)>& count) {
  const std::size_t batches = (trials + kBatch - 1) / kBatch;
  std::vector<std::size_t> hits(batches * counters, 0);
  stats::parallel_for(batches, threads, [&](std::size_t b) {
    const Batch batch{b, b * kBatch, std::min(trials, (b + 1) * kBatch)};
    count(batch, std::span(hits).subspan(b * counters, counters));
  });
  std::vector<std::size_t> total(counters, 0);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    total[i % counters] += hits[i];
  }
  return total;
}

double share(std::size_t hits, std::size_t trials) {
  return static_cast<double>(hits) / static_cast<double>(trials);
}

double share_se(double share, std::size_t trials) {
  return std::sqrt(share * (1.0 - share) / static_cast<double>(trials));
}

void Extremes::add(double share) {
  lo_ = std::min(lo_, share);
  hi_ = std::max(hi_, share);
}

std::string Extremes::percent() const {
  const std::string lo = calibration::percent(lo_);
  const std::string hi = calibration::percent(hi_);
  return lo == hi ? lo : lo + "-" + hi;
}

std::string percent(double share) { return fixed(100.0 * share, 1); }

}  // namespace perfgate::calibration
