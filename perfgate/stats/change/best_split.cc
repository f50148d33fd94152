// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/change/best_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/sign_flips.h"

namespace perfgate::stats {
namespace {

constexpr double kMostDeviations = 3;      // median absolute deviations
constexpr std::size_t kEnoughOrders = 10;  // orders that were as good
constexpr double kMostCorrelated = 0.95;
constexpr double kFewestBlocks = 20;

double MeanOf(std::span<const double> y) {
  return std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
}

// Numbers of SplitMix64(seed), one after the other.
class Stream {
 public:
  explicit Stream(std::uint64_t seed) : seed_(seed) {}
  // Uniform over 0 .. n-1, without bias.
  std::size_t Below(std::uint64_t n) {
    const std::uint64_t reject = (0 - n) % n;
    std::uint64_t draw = splitmix64(seed_, index_++);
    while (draw < reject) draw = splitmix64(seed_, index_++);
    return static_cast<std::size_t>(draw % n);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

// Mean square of differences so many places apart; a level that changes now and then counts as the
// largest usual difference.
double MeanSquareDifference(std::span<const double> y, std::size_t lag) {
  std::vector<double> differences;
  for (std::size_t i = lag; i < y.size(); ++i) differences.push_back(std::abs(y[i] - y[i - lag]));
  const double most = kMostDeviations * median(differences);
  double sum = 0;
  for (const double d : differences) {
    const double usual = std::min(d, most);
    sum += usual * usual;
  }
  return sum / static_cast<double>(differences.size());
}

}  // namespace

Split BestSplit(std::span<const double> y, std::size_t shortest) {
  const double mean = MeanOf(y);
  const auto n = static_cast<double>(y.size());
  Split best{shortest, -1};
  double sum = 0;
  for (std::size_t k = 1; k + shortest <= y.size(); ++k) {
    sum += y[k - 1] - mean;
    if (k < shortest) continue;
    const auto left = static_cast<double>(k);
    const double statistic = std::abs(sum) / std::sqrt(left * (n - left) / n);
    if (statistic > best.statistic) best = {k, statistic};
  }
  return best;
}

std::vector<double> Clipped(std::span<const double> x) {
  const double middle = median(x);
  std::vector<double> distances;
  distances.reserve(x.size());
  for (const double value : x) distances.push_back(std::abs(value - middle));
  const double reach = kMostDeviations * median(distances);
  std::vector<double> y(x.begin(), x.end());
  if (reach > 0) {
    for (double& value : y) value = std::clamp(value, middle - reach, middle + reach);
  }
  return y;
}

std::size_t BlockLength(std::span<const double> y) {
  if (y.size() < 4) return 1;
  // Of a sequence with autocorrelation r at lag 1 and r^2 at lag 2 the mean squares are
  // 2 (1 - r) and 2 (1 - r^2) variances.
  const double next = MeanSquareDifference(y, 1);
  if (!(next > 0)) return 1;
  const double r = std::min(MeanSquareDifference(y, 2) / next - 1, kMostCorrelated);
  const auto n = static_cast<double>(y.size());
  if (r <= 2 / std::sqrt(n)) return 1;
  const double length = std::cbrt(std::pow(std::sqrt(6.0) * r / (1 - r * r), 2) * n);
  // With few blocks there is hardly another order.
  const double most = std::max(1.0, n / kFewestBlocks);
  return static_cast<std::size_t>(std::clamp(std::ceil(length), 1.0, most));
}

double SplitChance(std::span<const double> y, std::size_t shortest, std::size_t block,
                   std::size_t orders, std::uint64_t seed) {
  const double found = BestSplit(y, shortest).statistic;
  const std::size_t blocks = (y.size() + block - 1) / block;
  std::vector<std::size_t> order(blocks);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> shuffled(y.size());
  Stream stream(seed);
  std::size_t as_good = 1;  // the given order
  for (std::size_t done = 1; done <= orders; ++done) {
    for (std::size_t i = blocks; i > 1; --i) std::swap(order[i - 1], order[stream.Below(i)]);
    std::size_t at = 0;
    for (const std::size_t which : order) {
      const std::size_t end = std::min(y.size(), (which + 1) * block);
      for (std::size_t i = which * block; i < end; ++i) shuffled[at++] = y[i];
    }
    if (BestSplit(shuffled, shortest).statistic >= found * (1 - 1e-12)) ++as_good;
    if (as_good > kEnoughOrders)
      return static_cast<double>(as_good) / static_cast<double>(done + 1);
  }
  return static_cast<double>(as_good) / static_cast<double>(orders + 1);
}

}  // namespace perfgate::stats
