// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "perfgate/stats/inference/signed_rank.h"
#include "tests/calibration/coverage_methods.h"
#include "tests/calibration/coverage_tables.h"

namespace perfgate::calibration {

void small_n_table(const Options& options, Checks& checks) {
  std::vector<Noise> noises = textbook_noises();
  noises.push_back(bimodal_noise(0.7));
  Table table{"coverage_small_n", {"rounds", "exact confidence of min..max", "simulated"}, {}};
  for (std::size_t n = 2; n <= 5; ++n) {
    const double exact = 1.0 - std::ldexp(1.0, 1 - static_cast<int>(n));
    Extremes extremes;
    for (std::size_t s = 0; s < noises.size(); ++s) {
      const Noise& noise = noises[s];
      const std::size_t cell = kSmallNCells + 1000 * s + n;
      const auto hits =
          tally(options.trials, options.threads, 1, [&](const Batch& batch, auto found) {
            const stats::Matrix d = draw_samples(noise, n, cell, batch);
            for (std::size_t c = 0; c < d.cols; ++c) {
              const stats::Range range = stats::min_max(d.column(c));
              found[0] += range.lo <= noise.median && noise.median <= range.hi ? 1 : 0;
            }
          });
      const double covered = share(hits[0], options.trials);
      extremes.add(covered);
      checks.expect(
          std::abs(covered - exact) <= 4.0 * share_se(exact, options.trials),
          "min..max of " + std::to_string(n) + " rounds, " + noise.name + ": " + percent(covered));
    }
    checks.expect(stats::min_max(std::vector<double>(n, 0.0)).confidence == exact,
                  "the confidence that min_max states for " + std::to_string(n));
    table.rows.push_back({std::to_string(n), fixed(100.0 * exact, 2), extremes.percent()});
  }
  print(table);
}

}  // namespace perfgate::calibration
