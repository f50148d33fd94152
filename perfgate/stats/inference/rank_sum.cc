// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/rank_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/estimate/quantiles.h"

namespace perfgate::stats {
namespace {

constexpr std::size_t kMaxExact = 50;

// Pairs a_i < b_j, ties one half.
double count_pairs(const std::vector<double>& a, const std::vector<double>& b) {
  double u = 0.0;
  for (const double value : b) {
    const auto [below, above] = std::equal_range(a.begin(), a.end(), value);
    u += static_cast<double>(below - a.begin()) + 0.5 * static_cast<double>(above - below);
  }
  return u;
}

// P(U = u) for u = 0 ... m n. With f(m, n, u) arrangements: the largest value is from b (it beats
// all m of a) or from a (it beats none): f(m, n, u) = f(m, n-1, u-m) + f(m-1, n, u), here in
// probabilities, where the largest is from b with probability n / (m + n).
std::vector<double> exact_null(std::size_t m, std::size_t n) {
  std::vector<std::vector<double>> by_n(n + 1, std::vector<double>(1, 1.0));  // m = 0: u is 0
  for (std::size_t i = 1; i <= m; ++i) {
    by_n[0] = {1.0};
    for (std::size_t j = 1; j <= n; ++j) {
      std::vector<double> next(i * j + 1, 0.0);
      const double from_b = static_cast<double>(j) / static_cast<double>(i + j);
      for (std::size_t u = 0; u < by_n[j].size(); ++u) {
        next[u] += (1.0 - from_b) * by_n[j][u];
      }
      for (std::size_t u = 0; u < by_n[j - 1].size(); ++u) {
        next[u + i] += from_b * by_n[j - 1][u];
      }
      by_n[j] = std::move(next);
    }
  }
  return by_n[n];
}

// sum of t^3 - t over groups of t equal values.
double tie_term(std::vector<double> pooled) {
  std::sort(pooled.begin(), pooled.end());
  double term = 0.0;
  for (auto it = pooled.begin(); it != pooled.end();) {
    const auto next = std::upper_bound(it, pooled.end(), *it);
    const auto t = static_cast<double>(next - it);
    term += t * t * t - t;
    it = next;
  }
  return term;
}

void exact_p(std::size_t m, std::size_t n, RankSum& result) {
  const std::vector<double> null = exact_null(m, n);
  double at_least = 0.0;
  double at_most = 0.0;
  for (std::size_t u = 0; u < null.size(); ++u) {
    at_least += static_cast<double>(u) >= result.u ? null[u] : 0.0;
    at_most += static_cast<double>(u) <= result.u ? null[u] : 0.0;
  }
  result.exact = true;
  result.p_greater = std::min(1.0, at_least);
  result.p_two_sided = std::min(1.0, 2.0 * std::min(at_least, at_most));
}

void normal_p(double m, double n, double ties, RankSum& result) {
  const double total = m + n;
  const double variance = m * n / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
  if (variance <= 0.0) {
    return;
  }
  const double distance = result.u - m * n / 2.0;
  const double sd = std::sqrt(variance);
  result.p_greater = normal_cdf(-(distance - 0.5) / sd);
  result.p_two_sided = std::min(1.0, 2.0 * normal_cdf(-(std::fabs(distance) - 0.5) / sd));
}

}  // namespace

RankSum rank_sum_test(std::span<const double> a, std::span<const double> b) {
  require(!a.empty() && !b.empty(), "rank_sum_test: both samples need a value");
  const std::vector<double> sorted_a = sorted(a);
  const std::vector<double> sorted_b = sorted(b);
  std::vector<double> pooled = sorted_a;
  pooled.insert(pooled.end(), sorted_b.begin(), sorted_b.end());
  const double ties = tie_term(std::move(pooled));

  RankSum result;
  result.u = count_pairs(sorted_a, sorted_b);
  if (ties == 0.0 && std::max(a.size(), b.size()) <= kMaxExact) {
    exact_p(a.size(), b.size(), result);
  } else {
    normal_p(static_cast<double>(a.size()), static_cast<double>(b.size()), ties, result);
  }
  return result;
}

}  // namespace perfgate::stats
