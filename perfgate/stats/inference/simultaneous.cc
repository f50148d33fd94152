// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/simultaneous.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "perfgate/stats/inference/sign_flips.h"
#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::stats {
namespace {

// 2 |W - E W| of the signed-rank statistic of d; ties and zeros take the middle of what they could
// be. `order` is scratch of the size of d.
double TwiceDeviation(std::span<const double> d, std::vector<std::size_t>& order) {
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::fabs(d[a]) < std::fabs(d[b]); });
  double signed_ranks = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && std::fabs(d[order[end]]) == std::fabs(d[order[begin]])) ++end;
    const double rank = 0.5 * static_cast<double>(begin + 1 + end);
    for (std::size_t i = begin; i < end; ++i) {
      const double value = d[order[i]];
      signed_ranks += value > 0 ? rank : value < 0 ? -rank : 0;
    }
    begin = end;
  }
  return std::fabs(signed_ranks);  // W+ - W- = 2 W+ - n (n + 1) / 2
}

std::vector<double> Difference(const Matrix& y, const ArmPair& pair) {
  std::vector<double> d(y.rows);
  for (std::size_t r = 0; r < y.rows; ++r) d[r] = y(r, pair.second) - y(r, pair.first);
  return d;
}

// y without the effects of rounds and arms.
Matrix Residuals(const Matrix& y) {
  Matrix residuals(y.rows, y.cols);
  for (std::size_t r = 0; r < y.rows; ++r) {
    double mean = 0;
    for (std::size_t a = 0; a < y.cols; ++a) mean += y(r, a) / static_cast<double>(y.cols);
    for (std::size_t a = 0; a < y.cols; ++a) residuals(r, a) = y(r, a) - mean;
  }
  for (std::size_t a = 0; a < y.cols; ++a) {
    const double effect = hodges_lehmann(residuals.column(a));
    for (std::size_t r = 0; r < y.rows; ++r) residuals(r, a) -= effect;
  }
  return residuals;
}

// The largest deviation over the pairs in each of the permutations, ascending.
std::vector<double> PermutedMaxima(const Matrix& residuals, std::span<const ArmPair> pairs,
                                   std::uint64_t seed) {
  std::vector<double> maxima(kPermutations);
  std::vector<std::size_t> order(residuals.rows);
  std::vector<double> d(residuals.rows);
  Matrix permuted = residuals;
  std::uint64_t draw = 0;
  for (double& largest : maxima) {
    for (std::size_t r = 0; r < residuals.rows; ++r) {
      for (std::size_t a = residuals.cols; a-- > 1;) {
        const std::size_t other = bounded(splitmix64(seed, draw++), a + 1);
        std::swap(permuted(r, a), permuted(r, other));
      }
    }
    largest = 0;
    for (const ArmPair& pair : pairs) {
      for (std::size_t r = 0; r < residuals.rows; ++r) {
        d[r] = permuted(r, pair.second) - permuted(r, pair.first);
      }
      largest = std::max(largest, TwiceDeviation(d, order));
    }
  }
  std::sort(maxima.begin(), maxima.end());
  return maxima;
}

void RequireArms(const Matrix& y, std::span<const ArmPair> pairs, double confidence) {
  if (y.rows < 2 || y.cols < 2) throw std::invalid_argument("needs 2 rounds of 2 arms");
  if (!(confidence > 0 && confidence < 1)) throw std::invalid_argument("confidence in (0, 1)");
  for (std::size_t r = 0; r < y.rows; ++r) {
    for (std::size_t a = 0; a < y.cols; ++a) {
      if (!std::isfinite(y(r, a))) throw std::invalid_argument("values must be finite");
    }
  }
  for (const ArmPair& pair : pairs) {
    if (pair.first >= y.cols || pair.second >= y.cols || pair.first == pair.second) {
      throw std::invalid_argument("a pair names two arms");
    }
  }
}

}  // namespace

std::vector<ArmPair> AllPairs(std::size_t arms) {
  std::vector<ArmPair> pairs;
  for (std::size_t a = 0; a < arms; ++a) {
    for (std::size_t b = a + 1; b < arms; ++b) pairs.push_back({a, b});
  }
  return pairs;
}

std::vector<ArmPair> AgainstReference(std::size_t arms, std::size_t reference) {
  std::vector<ArmPair> pairs;
  for (std::size_t a = 0; a < arms; ++a) {
    if (a != reference) pairs.push_back({reference, a});
  }
  return pairs;
}

Simultaneous SimultaneousIntervals(const Matrix& y, std::span<const ArmPair> pairs,
                                   double confidence, std::uint64_t seed) {
  RequireArms(y, pairs, confidence);
  const std::vector<double> maxima = PermutedMaxima(Residuals(y), pairs, seed);
  const auto n = static_cast<std::int64_t>(y.rows);
  const double most = static_cast<double>(n * (n + 1)) / 2;
  // Rejected is what deviates more than in a share `confidence` of the permutations.
  const auto index =
      static_cast<std::size_t>(std::ceil(confidence * static_cast<double>(maxima.size())) - 1);
  const double critical = maxima[index];
  // W <= k is rejected on either side: 2 k - n (n + 1) / 2 < -critical.
  const auto k = static_cast<std::int64_t>(std::ceil((most - critical) / 2) - 1);
  Simultaneous result;
  const auto held = static_cast<std::size_t>(
      std::upper_bound(maxima.begin(), maxima.end(), critical) - maxima.begin());
  result.attained = static_cast<double>(held) / static_cast<double>(maxima.size());
  const bool enough = k >= 0 && n >= kMinimumRounds;
  for (const ArmPair& pair : pairs) {
    const std::vector<double> d = Difference(y, pair);
    SimultaneousInterval one{pair, hodges_lehmann(d), no_interval()};
    if (enough) one.interval = signed_rank_interval(d, SignedRankCutoff{n, k, result.attained});
    result.intervals.push_back(one);
  }
  return result;
}

}  // namespace perfgate::stats
