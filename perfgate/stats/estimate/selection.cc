// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/selection.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/estimate/quantiles.h"

namespace perfgate::stats {
namespace {

struct Position {
  std::size_t below = 0;
  double fraction = 0.0;
};

Position position_of(std::size_t n, double p) {
  const double exact = p * static_cast<double>(n - 1);
  const auto below = static_cast<std::size_t>(exact);
  return {below, exact - static_cast<double>(below)};
}

// The order statistic at `at`, and the next one a `fraction` of the way.
double between(std::span<double> values, std::size_t at, double fraction) {
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), nth, values.end());
  if (fraction == 0.0 || nth + 1 == values.end()) {
    return *nth;
  }
  return std::lerp(*nth, *std::min_element(nth + 1, values.end()), fraction);
}

}  // namespace

double select_quantile(std::span<double> values, double p) {
  require(!values.empty(), "select_quantile: no values");
  require(p >= 0.0 && p <= 1.0, "select_quantile: p must be in [0, 1]");
  const Position position = position_of(values.size(), p);
  return between(values, position.below, position.fraction);
}

Tails select_tails(std::span<double> values, double p, double centre, double sd,
                   std::vector<double>& scratch) {
  require(!values.empty(), "select_tails: no values");
  require(p > 0.0 && p < 0.5, "select_tails: p must be in (0, .5)");
  const std::size_t n = values.size();
  const Position low = position_of(n, p);
  const Position high = position_of(n, 1.0 - p);
  scratch.resize(2 * n);
  const std::span<double> below(scratch.data(), n);
  const std::span<double> above(scratch.data() + n, n);
  // How far inside the normal quantile to cut, in SD: .2 leaves 1.6 times the values needed, .7 is
  // for skewed samples.
  for (const double margin : {0.2, 0.7}) {
    const double reach = std::max(0.0, -normal_quantile(p) - margin) * sd;
    std::size_t lows = 0;
    std::size_t highs = 0;
    for (const double v : values) {  // without branches: every value is written, few stay
      below[lows] = v;
      lows += static_cast<std::size_t>(v < centre - reach);
      above[highs] = v;
      highs += static_cast<std::size_t>(v > centre + reach);
    }
    // The high candidates are the last of all values in ascending order, so their positions are
    // the same less the number of values that were left out.
    const std::size_t omitted = n - highs;
    if (lows >= low.below + 2 && lows < n && highs < n && high.below >= omitted) {
      return {between(below.first(lows), low.below, low.fraction),
              between(above.first(highs), high.below - omitted, high.fraction)};
    }
  }
  const double lo = between(values, low.below, low.fraction);
  return {lo, between(values, high.below, high.fraction)};
}

}  // namespace perfgate::stats
