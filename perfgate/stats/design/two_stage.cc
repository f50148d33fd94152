// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/two_stage.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {
namespace {

constexpr int kMostPairs = 1000;
constexpr int kSteps = 200;  // of Simpson's rule, per dimension

double log_normal_density(double x) { return -0.5 * x * x - 0.5 * std::log(2.0 * M_PI); }

// log P(X > x) of the standard normal distribution, also far out.
double log_upper_tail(double x) { return std::log(0.5 * std::erfc(x / std::sqrt(2.0))); }

double simpson_weight(int i) {
  if (i == 0 || i == kSteps) return 1.0;
  return i % 2 == 1 ? 4.0 : 2.0;
}

// Range that holds the median of n normal values but for 1e-15: 8 of its standard deviations.
double reach(int n) { return 8.0 * std::sqrt(M_PI / 2.0 / n); }

// n = 2m + 1: the median has the density n! / (m!)^2 (F (1 - F))^m f.
double odd_variance(int n) {
  const int m = (n - 1) / 2;
  const double constant = std::lgamma(n + 1.0) - 2.0 * std::lgamma(m + 1.0);
  const double h = 2.0 * reach(n) / kSteps;
  double sum = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = -reach(n) + i * h;
    const double log_density =
        constant + m * (log_upper_tail(x) + log_upper_tail(-x)) + log_normal_density(x);
    sum += simpson_weight(i) * x * x * std::exp(log_density);
  }
  return sum * h / 3.0;
}

// n = 2m: the middle two values x < y have the joint density n! / ((m-1)!)^2 F(x)^(m-1)
// (1 - F(y))^(m-1) f(x) f(y); integrated over their mean u and half their distance v (dx dy = 2 du
// dv), where v falls off like exp(-.8 n v).
double even_variance(int n) {
  const int m = n / 2;
  const double constant =
      std::lgamma(n + 1.0) - 2.0 * std::lgamma(static_cast<double>(m)) + std::log(2.0);
  const double hu = 2.0 * reach(n) / kSteps;
  const double hv = std::min(7.0, 40.0 / n) / kSteps;
  double sum = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double u = -reach(n) + i * hu;
    for (int j = 0; j <= kSteps; ++j) {
      const double v = j * hv;
      const double log_density = constant +
                                 (m - 1) * (log_upper_tail(-(u - v)) + log_upper_tail(u + v)) +
                                 log_normal_density(u - v) + log_normal_density(u + v);
      sum += simpson_weight(i) * simpson_weight(j) * u * u * std::exp(log_density);
    }
  }
  return sum * hu * hv / 9.0;
}

}  // namespace

double median_variance_factor(int p) {
  require(p >= 1 && p <= kMostPairs, "median_variance_factor: pairs must be 1 to 1000");
  if (p <= 2) return 1.0;
  return p * (p % 2 == 1 ? odd_variance(p) : even_variance(p));
}

double pair_sd(std::span<const std::vector<double>> rounds) {
  constexpr std::size_t kReach = 16;
  constexpr double kMedianOfDifference = 0.9538725524;  // of |w_i - w_j|, unit normal w
  std::vector<double> differences;
  for (const std::vector<double>& pairs : rounds) {
    if (pairs.empty()) continue;
    require_finite(pairs, "pair_sd");
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (std::size_t j = i + 1; j < std::min(pairs.size(), i + 1 + kReach); ++j) {
        differences.push_back(std::abs(pairs[i] - pairs[j]));
      }
    }
  }
  return differences.empty() ? 0.0 : median(differences) / kMedianOfDifference;
}

NoiseParts split_noise(double round_sd, double within, int pairs) {
  require(std::isfinite(round_sd) && round_sd >= 0.0, "split_noise: the round SD must be >= 0");
  require(std::isfinite(within) && within >= 0.0, "split_noise: the pair SD must be >= 0");
  const double of_pairs = within * within * median_variance_factor(pairs) / pairs;
  return {within, std::sqrt(std::max(0.0, round_sd * round_sd - of_pairs))};
}

double round_sd_of(const NoiseParts& parts, int pairs) {
  require(std::isfinite(parts.within) && parts.within >= 0.0, "round_sd_of: within must be >= 0");
  require(std::isfinite(parts.between) && parts.between >= 0.0,
          "round_sd_of: between must be >= 0");
  const double of_pairs = parts.within * parts.within * median_variance_factor(pairs) / pairs;
  return std::sqrt(parts.between * parts.between + of_pairs);
}

}  // namespace perfgate::stats
