// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "perfgate/stats/estimate/selection.h"
#include "perfgate/stats/resample/parallel.h"
#include "perfgate/stats/resample/weighted_sums.h"

namespace perfgate::stats {
namespace {

// What a column is besides its resamples.
struct Moments {
  double mean = 0.0;
  double squares = 0.0;  // sum of squared deviations
  double cubes = 0.0;
};

// The working space of one thread.
struct Workspace {
  std::vector<SumRow> rows;
  std::vector<double> sums, square_sums, scratch;
};

void require_matching(const Matrix& d, const ResampleWeights& weights, double nominal) {
  require(d.data.size() == d.rows * d.cols, "bootstrap: matrix data does not match its shape");
  require(d.rows >= 1, "bootstrap: no rounds");
  require(weights.n == d.rows, "bootstrap: the weights are for another number of rounds");
  require(nominal > 0.0 && nominal < 1.0, "bootstrap: nominal must be in (0, 1)");
  require_finite(d.data, "bootstrap");
}

Moments moments_of(const Matrix& d, std::size_t column) {
  Moments moments;
  for (std::size_t r = 0; r < d.rows; ++r) {
    moments.mean += d(r, column);
  }
  moments.mean /= static_cast<double>(d.rows);
  for (std::size_t r = 0; r < d.rows; ++r) {
    const double deviation = d(r, column) - moments.mean;
    moments.squares += deviation * deviation;
    moments.cubes += deviation * deviation * deviation;
  }
  require(
      std::isfinite(moments.mean) && std::isfinite(moments.squares) && std::isfinite(moments.cubes),
      "bootstrap: the values spread beyond the range of a double");
  return moments;
}

// value(round, column in the block) for the columns from `first` on; absent columns are 0.
template <typename Value>
void fill_rows(std::size_t rounds, std::size_t count, const Value& value,
               std::vector<SumRow>& rows) {
  rows.assign(rounds, SumRow{});
  for (std::size_t r = 0; r < rounds; ++r) {
    for (std::size_t c = 0; c < count; ++c) {
      rows[r][c] = value(r, c);
    }
  }
}

// `sums` are n times the resampled means: only the two that matter are divided.
NominalInterval percentile(std::span<double> sums, const Moments& moments, std::size_t n,
                           double nominal, std::vector<double>& scratch) {
  const double tail = 0.5 * (1.0 - nominal);
  const auto rounds = static_cast<double>(n);
  const Tails tails =
      select_tails(sums, tail, moments.mean * rounds, std::sqrt(moments.squares), scratch);
  return {moments.mean, tails.lo / rounds, tails.hi / rounds, nominal};
}

// Percentiles moved by the bias z0 and the acceleration a, which for a mean is the skewness over
// 6 sqrt(n) (Efron, 1987, equations 2.3 and 6.6).
NominalInterval bca(std::span<double> sums, const Moments& moments, std::size_t n, double nominal) {
  const auto resamples = static_cast<double>(sums.size());
  const auto rounds = static_cast<double>(n);
  const double centre = moments.mean * rounds;
  double below = 0.0;
  for (const double sum : sums) {
    below += sum < centre ? 1.0 : (sum == centre ? 0.5 : 0.0);
  }
  // Half a resample away from 0 and 1, where z0 would be infinite.
  const double z0 =
      normal_quantile(std::clamp(below / resamples, 0.5 / resamples, 1.0 - 0.5 / resamples));
  const double a = moments.cubes / (6.0 * std::pow(moments.squares, 1.5));
  const auto moved = [&](double p) {
    const double z = z0 + normal_quantile(p);
    const double denominator = 1.0 - a * z;
    // Beyond the pole the correction has left its range; the outermost resample is the answer.
    if (denominator <= 0.0) {
      return z > 0.0 ? 1.0 : 0.0;
    }
    return normal_cdf(z0 + z / denominator);
  };
  const double tail = 0.5 * (1.0 - nominal);
  const double lo = select_quantile(sums, moved(tail)) / rounds;
  return {moments.mean, lo, select_quantile(sums, moved(1.0 - tail)) / rounds, nominal};
}

// Deviations from the mean go in, so that the variance of a resample, sum w x^2 / n -
// (sum w x / n)^2, loses no digits.
NominalInterval studentized(std::span<const double> sums, std::span<const double> square_sums,
                            const Moments& moments, std::size_t n, double nominal,
                            std::vector<double>& t) {
  const auto rounds = static_cast<double>(n);
  // A resample that repeats one round has variance 0 up to rounding.
  const double smallest = 1e-12 * moments.squares;
  t.clear();
  for (std::size_t b = 0; b < sums.size(); ++b) {
    const double squares = square_sums[b] - sums[b] * sums[b] / rounds;
    if (squares > smallest) {
      t.push_back(sums[b] / std::sqrt(squares));
    }
  }
  if (t.empty()) {
    return {moments.mean, moments.mean, moments.mean, nominal};
  }
  // t* is mean* over SD* up to a factor that the sample's own SD here has too.
  const double sd = std::sqrt(moments.squares) / rounds;
  const double tail = 0.5 * (1.0 - nominal);
  const double lo = moments.mean - sd * select_quantile(t, 1.0 - tail);
  return {moments.mean, lo, moments.mean - sd * select_quantile(t, tail), nominal};
}

void bootstrap_block(const Matrix& d, BootstrapMethod method, const PackedWeights& weights,
                     double nominal, std::size_t first, std::span<NominalInterval> results) {
  const std::size_t count = results.size();
  const std::size_t resamples = weights.resamples;
  std::array<Moments, kSumBlock> moments{};
  for (std::size_t c = 0; c < count; ++c) {
    moments[c] = moments_of(d, first + c);
  }
  const bool centre = method == BootstrapMethod::kStudentized;
  const auto value = [&](std::size_t r, std::size_t c) {
    return d(r, first + c) - (centre ? moments[c].mean : 0.0);
  };
  Workspace work;
  work.sums.resize(kSumBlock * weights.stride);
  fill_rows(d.rows, count, value, work.rows);
  weighted_sums(weights, work.rows, work.sums);
  if (centre) {
    work.square_sums.resize(kSumBlock * weights.stride);
    fill_rows(
        d.rows, count, [&](std::size_t r, std::size_t c) { return value(r, c) * value(r, c); },
        work.rows);
    weighted_sums(weights, work.rows, work.square_sums);
  }
  for (std::size_t c = 0; c < count; ++c) {
    const std::span<double> sums(&work.sums[c * weights.stride], resamples);
    if (moments[c].squares == 0.0) {
      results[c] = {moments[c].mean, moments[c].mean, moments[c].mean, nominal};
      continue;
    }
    switch (method) {
      case BootstrapMethod::kPercentile:
        results[c] = percentile(sums, moments[c], d.rows, nominal, work.scratch);
        break;
      case BootstrapMethod::kBca:
        results[c] = bca(sums, moments[c], d.rows, nominal);
        break;
      case BootstrapMethod::kStudentized:
        results[c] =
            studentized(sums, std::span(work.square_sums).subspan(c * weights.stride, resamples),
                        moments[c], d.rows, nominal, work.scratch);
        break;
    }
  }
}

std::size_t blocks_of(std::size_t cols) { return (cols + kSumBlock - 1) / kSumBlock; }

}  // namespace

std::vector<NominalInterval> bootstrap_means(const Matrix& d, BootstrapMethod method,
                                             const ResampleWeights& weights, double nominal,
                                             std::size_t threads) {
  require_matching(d, weights, nominal);
  require(method != BootstrapMethod::kStudentized || d.rows >= 3,
          "bootstrap: the studentized interval needs at least 3 rounds");
  const PackedWeights packed = pack(weights);
  std::vector<NominalInterval> results(d.cols);
  parallel_for(blocks_of(d.cols), threads, [&](std::size_t block) {
    const std::size_t first = block * kSumBlock;
    const std::size_t count = std::min(kSumBlock, d.cols - first);
    bootstrap_block(d, method, packed, nominal, first, std::span(results).subspan(first, count));
  });
  return results;
}

Matrix resampled_means(const Matrix& d, const ResampleWeights& weights, std::size_t threads) {
  require_matching(d, weights, 0.95);
  const PackedWeights packed = pack(weights);
  Matrix means(weights.resamples, d.cols);
  parallel_for(blocks_of(d.cols), threads, [&](std::size_t block) {
    const std::size_t first = block * kSumBlock;
    const std::size_t count = std::min(kSumBlock, d.cols - first);
    std::vector<SumRow> rows;
    std::vector<double> sums(kSumBlock * packed.stride);
    fill_rows(
        d.rows, count, [&](std::size_t r, std::size_t c) { return d(r, first + c); }, rows);
    weighted_sums(packed, rows, sums);
    for (std::size_t c = 0; c < count; ++c) {
      for (std::size_t b = 0; b < weights.resamples; ++b) {
        means(b, first + c) = sums[c * packed.stride + b] / static_cast<double>(d.rows);
      }
    }
  });
  return means;
}

NominalInterval bootstrap_median(std::span<const double> d, const ResampleWeights& weights,
                                 double nominal) {
  require(weights.n == d.size(), "bootstrap: the weights are for another number of rounds");
  require(nominal > 0.0 && nominal < 1.0, "bootstrap: nominal must be in (0, 1)");
  const double estimate = median(d);
  std::vector<std::size_t> order(d.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return d[a] < d[b]; });
  // The order statistics half and half - 1 of a resample: where its running count passes them.
  const std::size_t upper = d.size() / 2;
  const std::size_t lower = d.size() % 2 == 1 ? upper : upper - 1;
  std::vector<double> medians(weights.resamples);
  for (std::size_t b = 0; b < weights.resamples; ++b) {
    const double* counts = &weights.counts[b * d.size()];
    double running = 0.0;
    std::size_t i = 0;
    while ((running += counts[order[i]]) <= static_cast<double>(lower)) {
      ++i;
    }
    const double below = d[order[i]];
    while (running <= static_cast<double>(upper)) {
      running += counts[order[++i]];
    }
    medians[b] = std::midpoint(below, d[order[i]]);
  }
  const double tail = 0.5 * (1.0 - nominal);
  const double lo = select_quantile(medians, tail);
  return {estimate, lo, select_quantile(medians, 1.0 - tail), nominal};
}

NominalInterval cluster_bootstrap(std::span<const std::vector<double>> sessions,
                                  const ResampleWeights& weights, double nominal) {
  require(!sessions.empty(), "cluster_bootstrap: no sessions");
  Matrix means(sessions.size(), 1);
  for (std::size_t s = 0; s < sessions.size(); ++s) {
    means(s, 0) = mean(sessions[s]);
  }
  return bootstrap_means(means, BootstrapMethod::kPercentile, weights, nominal).front();
}

}  // namespace perfgate::stats
