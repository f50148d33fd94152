// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/call_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "perfgate/stats/estimate/tail.h"

namespace perfgate::stats {
namespace {

TEST(CallHistogram, ABucketsMiddleIsWithinATwentiethOfAPercent) {
  std::size_t last = 0;
  for (std::uint64_t ns = 1; ns <= CallHistogram::kLongestNs; ns += 1 + ns / 1500) {
    const std::size_t bucket = CallHistogram::BucketOf(ns);
    ASSERT_GE(bucket, last) << ns;
    ASSERT_LT(bucket, CallHistogram::kBuckets) << ns;
    EXPECT_NEAR(CallHistogram::MiddleOf(bucket) / static_cast<double>(ns), 1, 5e-4) << ns;
    last = bucket;
  }
  EXPECT_LT(CallHistogram::BucketOf(CallHistogram::kLongestNs), CallHistogram::kBuckets);
}

// Sorting is the oracle.
TEST(CallHistogram, PercentilesAreThoseOfTheCallsWithinATenthOfAPercent) {
  for (const std::size_t n : {1U, 7U, 100U, 5000U}) {
    std::mt19937_64 random(n);
    std::lognormal_distribution<double> service(std::log(3e4), 1.5);
    CallHistogram histogram;
    std::vector<double> calls;
    for (std::size_t i = 0; i < n; ++i) {
      const auto ns = static_cast<std::uint64_t>(service(random)) + 1;
      histogram.Add(ns);
      calls.push_back(1e-9 * static_cast<double>(ns));
    }
    std::sort(calls.begin(), calls.end());
    for (const double q : {0.01, 0.5, 0.95, 0.99, 0.999}) {
      EXPECT_NEAR(histogram.NearestRankS(q) / NearestRank(calls, q), 1, 1e-3) << n << " " << q;
      EXPECT_NEAR(histogram.TailMeanS(q) / TailMean(calls, q), 1, 1e-3) << n << " " << q;
    }
  }
}

TEST(CallHistogram, MergingIsRecordingBoth) {
  CallHistogram one;
  CallHistogram other;
  CallHistogram both;
  for (std::uint64_t ns = 1; ns < 5'000'000; ns = ns * 3 / 2 + 1) {
    (ns % 2 == 0 ? one : other).Add(ns, ns % 5 + 1);
    both.Add(ns, ns % 5 + 1);
  }
  other.Add(0);
  both.Add(0);
  one.Add(other);
  EXPECT_EQ(one, both);
  EXPECT_EQ(one.outside(), 1U);
}

TEST(CallHistogram, TextIsReadBack) {
  CallHistogram histogram;
  EXPECT_EQ(CallHistogram::FromText(histogram.ToText()), histogram);
  histogram.Add(0);
  histogram.Add(2048, 3);
  histogram.Add(CallHistogram::kLongestNs + 5);
  const auto read = CallHistogram::FromText(histogram.ToText());
  ASSERT_TRUE(read) << histogram.ToText();
  EXPECT_EQ(*read, histogram);
  EXPECT_EQ(read->count(), 5U);
  EXPECT_EQ(read->outside(), 2U);
}

TEST(CallHistogram, OtherTextIsRefused) {
  for (const char* text : {"",
                           "1",
                           "1;",
                           "2;0;",
                           "1;0;5",
                           "1;0;5x",
                           "1;0;x5",
                           "1;0;5x0",
                           "1;0;5x1,",
                           "1;0;5x1,0x1",
                           "1;0;5x1,,6x1",
                           "1;0;05x1",
                           "1;0; 5x1",
                           "1;0;-5x1",
                           "1;0;33792x1",
                           "1;0;33791x1,1x1",
                           "1;3;5x1",
                           "1;0;5x99999999999999999999",
                           "1;0;18446744073709551615x1,1x1",
                           "1;0;5x1;"}) {
    EXPECT_FALSE(CallHistogram::FromText(text)) << text;
  }
  EXPECT_TRUE(CallHistogram::FromText("1;0;5x1,1x2"));
}

TEST(CallHistogram, NothingRecordedHasNoPercentile) {
  EXPECT_TRUE(std::isnan(CallHistogram().NearestRankS(0.5)));
  EXPECT_TRUE(std::isnan(CallHistogram().TailMeanS(0.5)));
}

}  // namespace
}  // namespace perfgate::stats
