// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/order_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

using testing::sample;

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddle) {
  EXPECT_EQ(median(std::vector<double>{7.0}), 7.0);
  EXPECT_EQ(median(std::vector<double>{3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median(std::vector<double>{4.0, 1.0, 3.0, 100.0}), 3.5);
}

TEST(Median, HalfOfTheSampleLiesOnEachSide) {
  for (std::size_t n = 1; n <= 40; ++n) {
    const std::vector<double> values = sample(n, n);
    const double m = median(values);
    const auto below = std::count_if(values.begin(), values.end(), [&](double v) { return v < m; });
    const auto above = std::count_if(values.begin(), values.end(), [&](double v) { return v > m; });
    EXPECT_EQ(below, above) << n;
    EXPECT_EQ(static_cast<std::size_t>(below), n / 2) << n;
  }
}

TEST(Median, DoesNotOverflow) {
  const double huge = std::numeric_limits<double>::max();
  EXPECT_EQ(median(std::vector<double>{huge, huge}), huge);
}

TEST(SampleSd, DividesBySampleSizeLessOne) {
  EXPECT_DOUBLE_EQ(sample_sd(std::vector<double>{1.0, 2.0, 3.0, 4.0}), std::sqrt(5.0 / 3.0));
  EXPECT_DOUBLE_EQ(mean(std::vector<double>{1.0, 2.0, 3.0, 4.0}), 2.5);
}

TEST(OrderStatistics, RefuseWhatTheyCannotCompute) {
  const std::vector<double> empty;
  EXPECT_THROW(median(empty), std::invalid_argument);
  EXPECT_THROW(mean(empty), std::invalid_argument);
  EXPECT_THROW(sample_sd(std::vector<double>{1.0}), std::invalid_argument);
  for (const double bad : {testing::kNaN, testing::kInfinity, -testing::kInfinity}) {
    const std::vector<double> values{1.0, bad, 2.0};
    EXPECT_THROW(median(values), std::invalid_argument);
    EXPECT_THROW(mean(values), std::invalid_argument);
    EXPECT_THROW(sample_sd(values), std::invalid_argument);
    EXPECT_THROW(sorted(values), std::invalid_argument);
  }
}

}  // namespace
}  // namespace perfgate::stats
