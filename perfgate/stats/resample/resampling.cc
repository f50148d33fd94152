// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/resampling.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/inference/sign_flips.h"

namespace perfgate::stats {
namespace {

double centre_of(Centre centre, std::span<const double> values) {
  return centre == Centre::kMedian ? median(values) : mean(values);
}

// Draws values.size() values with replacement; counter is the next output of the generator.
void resample(std::span<const double> values, std::uint64_t seed, std::uint64_t& counter,
              std::vector<double>& out) {
  out.resize(values.size());
  for (double& value : out) {
    value = values[bounded(splitmix64(seed, counter++), values.size())];
  }
}

void require_positive(std::span<const double> values) {
  require_finite(values, "resampled_ratio");
  require(!values.empty() &&
              std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0; }),
          "resampled_ratio: needs positive values in both samples");
}

}  // namespace

ResampledRatio resampled_ratio(std::span<const double> a, std::span<const double> b, Centre centre,
                               std::size_t resamples, double nominal, std::uint64_t seed) {
  require_positive(a);
  require_positive(b);
  require(resamples >= 1, "resampled_ratio: needs at least one resample");
  require(nominal > 0.0 && nominal < 1.0, "resampled_ratio: nominal must be in (0, 1)");
  std::vector<double> ratios;
  ratios.reserve(resamples);
  std::vector<double> drawn_a;
  std::vector<double> drawn_b;
  std::uint64_t counter = 0;
  for (std::size_t i = 0; i < resamples; ++i) {
    resample(a, seed, counter, drawn_a);
    resample(b, seed, counter, drawn_b);
    ratios.push_back(centre_of(centre, drawn_b) / centre_of(centre, drawn_a));
  }
  require_finite(ratios, "resampled_ratio: ratios");
  std::sort(ratios.begin(), ratios.end());
  return {centre_of(centre, b) / centre_of(centre, a),
          quantile_of_sorted(ratios, (1.0 - nominal) / 2.0),
          quantile_of_sorted(ratios, (1.0 + nominal) / 2.0), nominal, resamples};
}

}  // namespace perfgate::stats
