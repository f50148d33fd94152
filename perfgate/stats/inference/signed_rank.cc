// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "perfgate/stats/inference/walsh_select.h"

namespace perfgate::stats {
namespace {

constexpr std::int64_t kMostRanks = 1'000'000'000;  // n (n + 1) / 2 stays far inside 64 bits

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

SignedRankCutoff exact_cutoff(std::int64_t n, double a) {
  SignedRankCutoff cutoff{n, -1, 0.0};
  long double below = 0.0L;
  for (const long double p : lower_half_of_null(static_cast<std::size_t>(n))) {
    below += p;
    if (below > static_cast<long double>(a)) {
      break;
    }
    ++cutoff.k;
    cutoff.attained = static_cast<double>(1.0L - 2.0L * below);
  }
  return cutoff;
}

// P(W <= k) for many rounds. W is a sum of independent terms, rank r or 0 with probability 1/2, so
// its cumulants are sums: variance sum r^2 / 4, fourth cumulant -sum r^4 / 8, odd ones 0. The first
// Edgeworth term is phi(x) kappa4 / (24 sigma^4) (3 x - x^3) (Kolassa, 2006, section 3.5).
class ApproximateNull {
 public:
  explicit ApproximateNull(std::int64_t n) {
    const auto m = static_cast<double>(n);
    const double squares = m * (m + 1.0) * (2.0 * m + 1.0) / 6.0;
    const double fourths = squares * (3.0 * m * m + 3.0 * m - 1.0) / 5.0;
    mean_ = m * (m + 1.0) / 4.0;
    sd_ = std::sqrt(squares / 4.0);
    term_ = -fourths / 8.0 / (24.0 * std::pow(sd_, 4));
  }

  double cdf(std::int64_t k) const {
    const double x = (static_cast<double>(k) + 0.5 - mean_) / sd_;
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    return normal_cdf(x) + density * term_ * (3.0 * x - x * x * x);
  }

  std::int64_t first_guess(double a) const {
    return static_cast<std::int64_t>(std::floor(mean_ + sd_ * normal_quantile(a)));
  }

 private:
  double mean_ = 0.0;
  double sd_ = 1.0;
  double term_ = 0.0;
};

SignedRankCutoff approximate_cutoff(std::int64_t n, double a) {
  const ApproximateNull null(n);
  // The correction moves the cut-off by a small share of an SD: doubling steps find both sides.
  std::int64_t lo = null.first_guess(a);
  std::int64_t hi = lo + 1;
  for (std::int64_t step = 1; lo >= 0 && null.cdf(lo) > a; step *= 2) {
    lo -= step;
  }
  for (std::int64_t step = 1; null.cdf(hi) <= a; step *= 2) {
    hi += step;
  }
  lo = std::max<std::int64_t>(lo, -1);
  while (hi - lo > 1) {
    const std::int64_t middle = std::midpoint(lo, hi);
    (null.cdf(middle) <= a ? lo : hi) = middle;
  }
  return {n, lo, lo < 0 ? 0.0 : 1.0 - 2.0 * null.cdf(lo)};
}

// The one or two middle order statistics among the Walsh averages, always two entries.
std::vector<std::int64_t> middle_ranks(std::size_t rounds) {
  const auto n = static_cast<std::int64_t>(rounds);
  const std::int64_t count = n * (n + 1) / 2;
  return {std::max<std::int64_t>(0, (count - 1) / 2), count / 2};
}

}  // namespace

double hodges_lehmann(std::span<const double> d) {
  const std::vector<double> middle = select_walsh(d, middle_ranks(d.size()));
  return std::midpoint(middle.front(), middle.back());
}

SignedRankCutoff signed_rank_cutoff(std::int64_t n, double a) {
  require(n >= 1, "signed_rank_cutoff: needs at least one round");
  require(n <= kMostRanks, "signed_rank_cutoff: more than 10^9 rounds");
  require(a > 0.0 && a <= 0.5, "signed_rank_cutoff: the level per side must be in (0, .5]");
  return n <= kMostExactRounds ? exact_cutoff(n, a) : approximate_cutoff(n, a);
}

std::vector<double> signed_rank_null_cdf(std::int64_t n) {
  require(n >= 1 && n <= kMostExactRounds, "signed_rank_null_cdf: from 1 to 200 rounds");
  std::vector<double> cdf;
  long double below = 0.0L;
  for (const long double p : lower_half_of_null(static_cast<std::size_t>(n))) {
    below += p;
    cdf.push_back(static_cast<double>(below));
  }
  return cdf;
}

Interval signed_rank_interval(std::span<const double> d, double a) {
  require(!d.empty(), "signed_rank_interval: no rounds");
  return signed_rank_interval(d, signed_rank_cutoff(static_cast<std::int64_t>(d.size()), a));
}

Interval signed_rank_interval(std::span<const double> d, const SignedRankCutoff& cutoff) {
  return signed_rank(d, cutoff).interval;
}

SignedRank signed_rank(std::span<const double> d, const SignedRankCutoff& cutoff) {
  require(std::cmp_equal(cutoff.n, d.size()),
          "signed_rank_interval: the cut-off is for another number of rounds");
  std::vector<std::int64_t> ranks = middle_ranks(d.size());
  if (cutoff.k >= 0) {
    const std::int64_t last = cutoff.n * (cutoff.n + 1) / 2 - 1;
    require(cutoff.k <= last - cutoff.k, "signed_rank_interval: the cut-off is out of range");
    ranks.push_back(cutoff.k);
    ranks.push_back(last - cutoff.k);
  }
  const std::vector<double> walsh = select_walsh(d, ranks);
  const double estimate = std::midpoint(walsh[0], walsh[1]);
  if (cutoff.k < 0) {
    return {estimate, no_interval()};
  }
  return {estimate, {walsh[2], walsh[3], cutoff.attained, true}};
}

double signed_rank_p_below(std::span<const double> d, double bound) {
  require(!d.empty(), "signed_rank_p_below: no rounds");
  require_finite(d, "signed_rank_p_below");
  require(std::isfinite(bound), "signed_rank_p_below: the bound must be finite");
  std::int64_t above = 0;  // Walsh averages that are not below the bound: the statistic
  for (std::size_t i = 0; i < d.size(); ++i) {
    for (std::size_t j = i; j < d.size(); ++j) above += std::midpoint(d[i], d[j]) >= bound ? 1 : 0;
  }
  const auto n = static_cast<std::int64_t>(d.size());
  const std::int64_t most = n * (n + 1) / 2;
  const auto cdf = [n](std::int64_t k) {
    if (k < 0) return 0.0;
    if (n > kMostExactRounds) return std::clamp(ApproximateNull(n).cdf(k), 0.0, 1.0);
    const std::vector<long double> null = lower_half_of_null(static_cast<std::size_t>(n));
    return static_cast<double>(std::accumulate(null.begin(), null.begin() + k + 1, 0.0L));
  };
  return above <= most / 2 ? cdf(above) : 1.0 - cdf(most - above - 1);
}

double sequential_level(int n, int earlier) {
  require(n >= 1 && earlier >= 0, "sequential_level: needs at least one round");
  constexpr double kLevel = 0.01;
  return earlier == 0 ? std::max(kLevel, std::ldexp(1.0, -n)) : kLevel / (1 + earlier);
}

Range min_max(std::span<const double> d) {
  require(!d.empty(), "min_max: no rounds");
  require_finite(d, "min_max");
  const auto [lo, hi] = std::minmax_element(d.begin(), d.end());
  return {*lo, *hi, 1.0 - std::ldexp(1.0, 1 - static_cast<int>(d.size()))};
}

}  // namespace perfgate::stats
