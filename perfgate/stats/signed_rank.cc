// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "perfgate/stats/order_statistics.h"
#include "perfgate/stats/preconditions.h"

namespace perfgate::stats {
namespace {

// P(W = w) for w = 0 ... (number of Walsh averages) / 2, the half that a cut-off can lie in.
// Halving is exact in binary, so this equals integer counts over 2^n while these fit the mantissa.
std::vector<long double> lower_half_of_null(std::size_t n) {
  const std::size_t top = n * (n + 1) / 2 / 2;
  std::vector<long double> probability(top + 1, 0.0L);
  probability[0] = 1.0L;
  std::size_t reached = 0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    reached = std::min(top, reached + rank);
    for (std::size_t w = reached + 1; w-- > 0;) {
      const long double with_rank = w >= rank ? probability[w - rank] : 0.0L;
      probability[w] = 0.5L * (probability[w] + with_rank);
    }
  }
  return probability;
}

}  // namespace

std::vector<double> walsh_averages(std::span<const double> d) {
  require(!d.empty(), "walsh_averages: no rounds");
  require_finite(d, "walsh_averages");
  std::vector<double> walsh;
  walsh.reserve(d.size() * (d.size() + 1) / 2);
  for (std::size_t i = 0; i < d.size(); ++i) {
    for (std::size_t j = i; j < d.size(); ++j) {
      walsh.push_back(std::midpoint(d[i], d[j]));
    }
  }
  std::sort(walsh.begin(), walsh.end());
  return walsh;
}

double hodges_lehmann(std::span<const double> d) { return median(walsh_averages(d)); }

SignedRankCutoff signed_rank_distribution_cutoff(int n, double a) {
  require(n >= 1, "signed_rank_cutoff: needs at least one round");
  require(a > 0.0 && a <= 0.5, "signed_rank_cutoff: the level per side must be in (0, .5]");
  const std::vector<long double> probability = lower_half_of_null(static_cast<std::size_t>(n));
  SignedRankCutoff cutoff{n, -1, 0.0};
  long double below = 0.0L;
  for (const long double p : probability) {
    below += p;
    if (below > static_cast<long double>(a)) {
      break;
    }
    ++cutoff.k;
    cutoff.attained = static_cast<double>(1.0L - 2.0L * below);
  }
  return cutoff;
}

int signed_rank_cutoff(int n, double a) { return signed_rank_distribution_cutoff(n, a).k; }

Interval signed_rank_interval(std::span<const double> d, double a) {
  require(!d.empty(), "signed_rank_interval: no rounds");
  return signed_rank_interval(d, signed_rank_distribution_cutoff(static_cast<int>(d.size()), a));
}

Interval signed_rank_interval(std::span<const double> d, const SignedRankCutoff& cutoff) {
  require(std::cmp_equal(cutoff.n, d.size()),
          "signed_rank_interval: the cut-off is for another number of rounds");
  const std::vector<double> walsh = walsh_averages(d);
  if (cutoff.k < 0) {
    return no_interval();
  }
  const auto k = static_cast<std::size_t>(cutoff.k);
  require(k < walsh.size() - k, "signed_rank_interval: the cut-off is out of range");
  return {walsh[k], walsh[walsh.size() - 1 - k], cutoff.attained, true};
}

double sequential_level(int n) {
  require(n >= 1, "sequential_level: needs at least one round");
  return std::max(0.01, std::ldexp(1.0, -n));
}

Range min_max(std::span<const double> d) {
  require(!d.empty(), "min_max: no rounds");
  require_finite(d, "min_max");
  const auto [lo, hi] = std::minmax_element(d.begin(), d.end());
  return {*lo, *hi, 1.0 - std::ldexp(1.0, 1 - static_cast<int>(d.size()))};
}

}  // namespace perfgate::stats
