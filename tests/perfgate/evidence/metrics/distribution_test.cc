// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/metrics/distribution.h"

#include <gtest/gtest.h>

#include "perfgate/evidence/metrics/gpu_metrics.h"

namespace perfgate {
namespace {

TEST(Distribution, NamesAreReadBack) {
  const Metric base{"e2e_latency", "s", Direction::kLower, Kind::kTime};
  for (const char* word : {"p50", "p95", "p99", "p99.9", "tail_mean"}) {
    const Metric metric = SummaryMetric(base, word);
    EXPECT_EQ(metric.unit, "s");
    const auto summary = ReadSummaryName(metric.name);
    ASSERT_TRUE(summary) << metric.name;
    EXPECT_EQ(summary->base, base.name);
    EXPECT_EQ(summary->word, word);
  }
  EXPECT_NEAR(ReadSummaryName("ttft_p99.9")->quantile, 0.999, 1e-12);
  EXPECT_EQ(ReadSummaryName("ttft_tail_mean")->quantile, 0.95);
}

TEST(Distribution, OtherNamesAreNoSummaries) {
  for (const char* name : {"ttft", "real_time", "ttft_mean", "p99", "_p99", "ttft_p", "ttft_p0",
                           "ttft_p100", "ttft_p200", "ttft_p99x", "ttft_pages"}) {
    EXPECT_FALSE(ReadSummaryName(name)) << name;
  }
}

TEST(Distribution, SamplesAreRecordedAndNeverJudged) {
  EXPECT_TRUE(is_informational(SamplesMetric("ttft").name));
  EXPECT_FALSE(is_informational("samples"));
}

TEST(Distribution, OneCallLiesBeyondWhatIsShownAndTwentyBeyondWhatIsGated) {
  EXPECT_EQ(FewestShown(0.5), 2);
  EXPECT_EQ(FewestShown(0.95), 20);
  EXPECT_EQ(FewestShown(0.99), 100);
  EXPECT_EQ(FewestGated(0.5), 40);
  EXPECT_EQ(FewestGated(0.95), 400);
  EXPECT_EQ(FewestGated(0.99), 2000);
  EXPECT_EQ(FewestGated(0.999), 20000);
}

}  // namespace
}  // namespace perfgate
