// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

std::vector<double> many_normals(std::size_t n, std::uint64_t seed) {
  std::vector<double> values = testing::sample(n, seed, 1.0);
  for (double& v : values) v = normal_quantile(std::min(1.0 - 1e-12, v + 0.5 + 1e-13));
  return values;
}

TEST(SelectQuantile, IsTheQuantileOfTheSortedValues) {
  for (const std::size_t n : {1U, 2U, 3U, 10U, 1001U}) {
    const std::vector<double> values = testing::sample(n, n);
    for (const double p : {0.0, 0.013, 0.25, 0.5, 0.975, 1.0}) {
      std::vector<double> work = values;
      EXPECT_EQ(select_quantile(work, p), quantile_of_sorted(sorted(values), p)) << n << " " << p;
    }
  }
}

// Whatever is claimed of centre and spread, right or wrong, the result is that of sorting.
TEST(SelectTails, AreThoseOfTheSortedValuesWhateverTheHint) {
  std::vector<double> scratch;
  for (const std::size_t n : {1U, 2U, 5U, 39U, 40U, 41U, 1000U, 10000U}) {
    std::vector<std::vector<double>> samples = {many_normals(n, n), many_normals(n, n + 1),
                                                std::vector<double>(n, 2.5)};
    for (double& v : samples[1]) v = std::exp(v);
    for (const std::vector<double>& values : samples) {
      const std::vector<double> ascending = sorted(values);
      for (const double p : {0.0005, 0.025, 0.05, 0.25, 0.49}) {
        for (const double centre : {0.0, 1.6, -9.0, 9.0}) {
          for (const double sd : {0.0, 1.0, 100.0}) {
            std::vector<double> work = values;
            const Tails tails = select_tails(work, p, centre, sd, scratch);
            EXPECT_EQ(tails.lo, quantile_of_sorted(ascending, p)) << n << " " << p;
            EXPECT_EQ(tails.hi, quantile_of_sorted(ascending, 1.0 - p)) << n << " " << p;
          }
        }
      }
    }
  }
}

TEST(Selection, RefusesNothingAndWrongLevels) {
  std::vector<double> none;
  std::vector<double> some = {1.0, 2.0};
  EXPECT_THROW(select_quantile(none, 0.5), std::invalid_argument);
  EXPECT_THROW(select_quantile(some, 1.5), std::invalid_argument);
  EXPECT_THROW(select_tails(none, 0.1, 0, 1, none), std::invalid_argument);
  EXPECT_THROW(select_tails(some, 0.5, 0, 1, none), std::invalid_argument);
}

}  // namespace
}  // namespace perfgate::stats
