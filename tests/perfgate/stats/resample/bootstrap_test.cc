// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

constexpr BootstrapMethod kMethods[] = {BootstrapMethod::kPercentile, BootstrapMethod::kBca,
                                        BootstrapMethod::kStudentized};

// Skewed, so that the methods differ.
Matrix skewed(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix d = testing::sample_matrix(rows, cols, seed);
  for (double& v : d.data) v = std::exp(60.0 * v);
  return d;
}

// One resample the plain way: the values themselves, in order of the rounds.
std::vector<double> values_of(const Matrix& d, std::size_t column, const ResampleWeights& weights,
                              std::size_t resample) {
  std::vector<double> values;
  for (std::size_t i = 0; i < d.rows; ++i) {
    const auto count = static_cast<std::size_t>(weights.counts[resample * d.rows + i]);
    values.insert(values.end(), count, d(i, column));
  }
  return values;
}

std::vector<double> plain_means(const Matrix& d, std::size_t column,
                                const ResampleWeights& weights) {
  std::vector<double> means;
  for (std::size_t b = 0; b < weights.resamples; ++b) {
    means.push_back(mean(values_of(d, column, weights, b)));
  }
  return means;
}

void expect_same(const NominalInterval& a, const NominalInterval& b) {
  EXPECT_EQ(a.estimate, b.estimate);
  EXPECT_EQ(a.lo, b.lo);
  EXPECT_EQ(a.hi, b.hi);
  EXPECT_EQ(a.nominal, b.nominal);
}

TEST(ResampledMeans, AreTheMeansOfTheResampledValues) {
  for (const std::size_t cols : {1U, 7U, 8U, 9U, 20U}) {
    const Matrix d = testing::sample_matrix(13, cols, cols);
    const ResampleWeights weights = resample_weights(13, 53);
    const Matrix means = resampled_means(d, weights);
    for (std::size_t c = 0; c < cols; ++c) {
      const std::vector<double> plain = plain_means(d, c, weights);
      for (std::size_t b = 0; b < weights.resamples; ++b) {
        EXPECT_NEAR(means(b, c), plain[b], 1e-15) << cols << " columns";
      }
    }
  }
}

TEST(ResampledMeans, AreSummedInTheOrderOfTheRounds) {
  const Matrix d = testing::sample_matrix(17, 3, 5);
  const ResampleWeights weights = resample_weights(17, 100);
  const Matrix means = resampled_means(d, weights);
  for (std::size_t b = 0; b < weights.resamples; ++b) {
    for (std::size_t c = 0; c < d.cols; ++c) {
      double sum = 0.0;
      for (std::size_t i = 0; i < d.rows; ++i) {
        const volatile double product = weights.counts[b * d.rows + i] * d(i, c);  // never fused
        sum += product;
      }
      EXPECT_EQ(means(b, c), sum / 17.0);
    }
  }
}

TEST(BootstrapMeans, PercentileIntervalsAreQuantilesOfThePlainMeans) {
  const ResampleWeights weights = resample_weights(12, 2000);
  for (const double nominal : {0.5, 0.9, 0.95, 0.999}) {
    const Matrix d = skewed(12, 11, 3);
    const auto intervals = bootstrap_means(d, BootstrapMethod::kPercentile, weights, nominal);
    ASSERT_EQ(intervals.size(), d.cols);
    for (std::size_t c = 0; c < d.cols; ++c) {
      const std::vector<double> means = sorted(plain_means(d, c, weights));
      EXPECT_NEAR(intervals[c].estimate, mean(d.column(c)), 1e-12);
      EXPECT_NEAR(intervals[c].lo, quantile_of_sorted(means, 0.5 * (1.0 - nominal)), 1e-12);
      EXPECT_NEAR(intervals[c].hi, quantile_of_sorted(means, 0.5 * (1.0 + nominal)), 1e-12);
    }
  }
}

// Efron and Tibshirani (1993), equations 14.9 to 14.15, with the jackknife written out.
TEST(BootstrapMeans, BcaAgreesWithTheJackknifeFormula) {
  const Matrix d = skewed(15, 4, 9);
  const ResampleWeights weights = resample_weights(15, 3001);
  const auto intervals = bootstrap_means(d, BootstrapMethod::kBca, weights);
  for (std::size_t c = 0; c < d.cols; ++c) {
    const std::vector<double> x = d.column(c);
    const std::vector<double> means = sorted(plain_means(d, c, weights));
    const double centre = mean(x);
    double below = 0.0;
    for (const double m : means) below += m < centre ? 1.0 : 0.0;
    const double z0 = normal_quantile(below / 3001.0);
    std::vector<double> jackknife;
    for (std::size_t left_out = 0; left_out < x.size(); ++left_out) {
      std::vector<double> rest = x;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(left_out));
      jackknife.push_back(mean(rest));
    }
    double cubes = 0.0;
    double squares = 0.0;
    for (const double m : jackknife) {
      cubes += std::pow(mean(jackknife) - m, 3);
      squares += std::pow(mean(jackknife) - m, 2);
    }
    const double a = cubes / (6.0 * std::pow(squares, 1.5));
    const auto level = [&](double z) { return normal_cdf(z0 + (z0 + z) / (1.0 - a * (z0 + z))); };
    EXPECT_NEAR(intervals[c].lo, quantile_of_sorted(means, level(normal_quantile(0.025))), 1e-9);
    EXPECT_NEAR(intervals[c].hi, quantile_of_sorted(means, level(normal_quantile(0.975))), 1e-9);
  }
}

TEST(BootstrapMeans, StudentizedAgreesWithTOfEveryResample) {
  const Matrix d = skewed(10, 3, 21);
  const ResampleWeights weights = resample_weights(10, 2000);
  const auto intervals = bootstrap_means(d, BootstrapMethod::kStudentized, weights);
  for (std::size_t c = 0; c < d.cols; ++c) {
    const std::vector<double> x = d.column(c);
    std::vector<double> t;
    for (std::size_t b = 0; b < weights.resamples; ++b) {
      const std::vector<double> values = values_of(d, c, weights, b);
      const double sd = sample_sd(values);
      if (sd > 0.0) t.push_back((mean(values) - mean(x)) / (sd / std::sqrt(10.0)));
    }
    std::sort(t.begin(), t.end());
    const double se = sample_sd(x) / std::sqrt(10.0);
    const double size = std::fabs(mean(x)) + se;
    EXPECT_NEAR(intervals[c].lo, mean(x) - quantile_of_sorted(t, 0.975) * se, 1e-9 * size);
    EXPECT_NEAR(intervals[c].hi, mean(x) - quantile_of_sorted(t, 0.025) * se, 1e-9 * size);
  }
}

TEST(BootstrapMeans, DoNotDependOnTheNumberOfThreads) {
  const Matrix d = skewed(20, 77, 4);
  const ResampleWeights weights = resample_weights(20, 501);
  for (const BootstrapMethod method : kMethods) {
    const auto one = bootstrap_means(d, method, weights, 0.95, 1);
    for (const std::size_t threads : {0U, 2U, 3U, 7U}) {
      const auto many = bootstrap_means(d, method, weights, 0.95, threads);
      for (std::size_t c = 0; c < d.cols; ++c) expect_same(many[c], one[c]);
    }
  }
}

TEST(BootstrapMeans, ACaseDoesNotDependOnItsNeighbours) {
  const Matrix d = skewed(14, 19, 6);
  const ResampleWeights weights = resample_weights(14, 300);
  for (const BootstrapMethod method : kMethods) {
    const auto together = bootstrap_means(d, method, weights);
    for (std::size_t c = 0; c < d.cols; ++c) {
      Matrix alone(14, 1);
      alone.data = d.column(c);
      expect_same(bootstrap_means(alone, method, weights).front(), together[c]);
    }
  }
}

TEST(BootstrapMeans, FollowScaleAndMirror) {
  const Matrix d = skewed(16, 5, 8);
  const ResampleWeights weights = resample_weights(16, 999);
  Matrix doubled = d;
  for (double& v : doubled.data) v *= -2.0;
  for (const BootstrapMethod method : kMethods) {
    const auto before = bootstrap_means(d, method, weights);
    const auto after = bootstrap_means(doubled, method, weights);
    for (std::size_t c = 0; c < d.cols; ++c) {
      EXPECT_NEAR(after[c].lo, -2.0 * before[c].hi, 1e-9 * std::fabs(before[c].hi));
      EXPECT_NEAR(after[c].hi, -2.0 * before[c].lo, 1e-9 * std::fabs(before[c].hi));
    }
  }
}

TEST(BootstrapMeans, AreOfWidthZeroForConstantColumns) {
  Matrix d(6, 2);
  for (double& v : d.data) v = 3.25;
  d(2, 1) = 4.0;
  const ResampleWeights weights = resample_weights(6, 400);
  for (const BootstrapMethod method : kMethods) {
    const auto intervals = bootstrap_means(d, method, weights);
    EXPECT_EQ(intervals[0].lo, 3.25);
    EXPECT_EQ(intervals[0].hi, 3.25);
    EXPECT_TRUE(std::isfinite(intervals[1].lo));
    EXPECT_LT(intervals[1].lo, intervals[1].hi);
  }
}

TEST(BootstrapMeans, RefuseWhatTheyCannotUse) {
  const ResampleWeights weights = resample_weights(5, 10);
  Matrix d = testing::sample_matrix(5, 2, 1);
  EXPECT_THROW(bootstrap_means(testing::sample_matrix(6, 2, 1), BootstrapMethod::kBca, weights),
               std::invalid_argument);
  EXPECT_THROW(bootstrap_means(d, BootstrapMethod::kBca, weights, 1.0), std::invalid_argument);
  EXPECT_THROW(bootstrap_means(testing::sample_matrix(2, 1, 1), BootstrapMethod::kStudentized,
                               resample_weights(2, 10)),
               std::invalid_argument);
  EXPECT_TRUE(bootstrap_means(Matrix(5, 0), BootstrapMethod::kBca, weights).empty());
  for (const double bad : {testing::kNaN, testing::kInfinity, 1e200}) {
    Matrix broken = d;
    broken(3, 1) = bad;
    EXPECT_THROW(bootstrap_means(broken, BootstrapMethod::kPercentile, weights),
                 std::invalid_argument);
  }
}

TEST(BootstrapMeans, OneRoundIsAnIntervalOfWidthZero) {
  const Matrix d = testing::sample_matrix(1, 3, 1);
  const auto intervals = bootstrap_means(d, BootstrapMethod::kPercentile, resample_weights(1, 10));
  EXPECT_EQ(intervals[2].lo, d(0, 2));
  EXPECT_EQ(intervals[2].hi, d(0, 2));
}

TEST(BootstrapMeans, TakeAHundredThousandCases) {
  const Matrix d = testing::sample_matrix(6, 100000, 1);
  const auto intervals =
      bootstrap_means(d, BootstrapMethod::kPercentile, resample_weights(6, 50), 0.9, 0);
  ASSERT_EQ(intervals.size(), 100000U);
  for (const NominalInterval& interval : intervals) ASSERT_LE(interval.lo, interval.hi);
}

TEST(BootstrapMedian, IsTheQuantileOfThePlainMedians) {
  for (const std::size_t n : {1U, 2U, 5U, 8U, 31U}) {
    const ResampleWeights weights = resample_weights(n, 700);
    Matrix d = skewed(n, 1, n);
    if (n == 8) d(0, 0) = d(1, 0) = d(2, 0);  // ties
    std::vector<double> medians;
    for (std::size_t b = 0; b < weights.resamples; ++b) {
      medians.push_back(median(values_of(d, 0, weights, b)));
    }
    std::sort(medians.begin(), medians.end());
    const NominalInterval interval = bootstrap_median(d.data, weights);
    EXPECT_EQ(interval.estimate, median(d.data));
    EXPECT_NEAR(interval.lo, quantile_of_sorted(medians, 0.025), 1e-12);
    EXPECT_NEAR(interval.hi, quantile_of_sorted(medians, 0.975), 1e-12);
  }
  EXPECT_THROW(bootstrap_median(std::vector<double>{1.0}, resample_weights(2, 10)),
               std::invalid_argument);
}

TEST(ClusterBootstrap, ResamplesSessionsNotValues) {
  // Ten sessions that differ, each with 50 values that hardly do.
  std::vector<std::vector<double>> sessions;
  std::vector<double> pooled;
  for (int s = 0; s < 10; ++s) {
    sessions.push_back(testing::sample(50, static_cast<std::uint64_t>(s), 0.01));
    for (double& v : sessions.back()) v += s;
    pooled.insert(pooled.end(), sessions.back().begin(), sessions.back().end());
  }
  const NominalInterval clustered = cluster_bootstrap(sessions, resample_weights(10, 2000));
  Matrix d(pooled.size(), 1);
  d.data = pooled;
  const NominalInterval naive =
      bootstrap_means(d, BootstrapMethod::kPercentile, resample_weights(500, 2000)).front();
  EXPECT_NEAR(clustered.estimate, 4.5, 0.01);
  EXPECT_GT(clustered.hi - clustered.lo, 4.0 * (naive.hi - naive.lo));
  EXPECT_THROW(cluster_bootstrap({}, resample_weights(1, 10)), std::invalid_argument);
  EXPECT_THROW(cluster_bootstrap(std::vector<std::vector<double>>{{}}, resample_weights(1, 10)),
               std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
