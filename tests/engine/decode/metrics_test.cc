// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace engine {
namespace {

using ::testing::ElementsAre;

RequestTimes At(std::vector<int> milliseconds) {
  RequestTimes times;
  times.submit = Clock::time_point() + std::chrono::seconds(100);
  times.prompt_tokens = 8;
  for (const int t : milliseconds) {
    times.tokens.push_back(times.submit + std::chrono::milliseconds(t));
  }
  return times;
}

TEST(Metrics, FollowTheirFormulas) {
  const RequestMetrics m = MetricsOf(At({40, 50, 70, 100}));
  EXPECT_EQ(m.tokens, 4);
  EXPECT_DOUBLE_EQ(m.ttft, 0.040);
  EXPECT_DOUBLE_EQ(m.full, 0.100);
  ASSERT_TRUE(m.tpot);
  EXPECT_DOUBLE_EQ(*m.tpot, 0.020);
  EXPECT_DOUBLE_EQ(m.full, m.ttft + 3 * *m.tpot);
  EXPECT_THAT(m.itl, ElementsAre(0.010, 0.020, 0.030)) << "never with ttft in it";
  const auto json = ToJson(m);
  EXPECT_DOUBLE_EQ(json["prefill_tok_s"], 200);
  EXPECT_DOUBLE_EQ(json["decode_tok_s"], 50);
  EXPECT_DOUBLE_EQ(json["e2e_tok_s"], 40);
}

TEST(Metrics, OneTokenHasNoTpot) {
  const RequestMetrics m = MetricsOf(At({40}));
  EXPECT_FALSE(m.tpot);
  EXPECT_FALSE(ToJson(m).contains("tpot_s"));
  EXPECT_DOUBLE_EQ(m.full, m.ttft);
}

TEST(Metrics, PercentilesAreValuesThatOccurred) {
  const std::vector<double> v = {15, 20, 35, 40, 50};
  EXPECT_EQ(Percentile(v, 5), 15);
  EXPECT_EQ(Percentile(v, 30), 20);
  EXPECT_EQ(Percentile(v, 40), 20);
  EXPECT_EQ(Percentile(v, 50), 35);
  EXPECT_EQ(Percentile(v, 100), 50);
}

TEST(Metrics, SummariesOmitWhatTheirCountCannotCarry) {
  const auto keys = [](std::size_t n) {
    std::vector<double> values(n);
    std::iota(values.begin(), values.end(), 1.0);
    std::vector<std::string> names;
    const auto summary = Summary(values);
    for (auto entry = summary.begin(); entry != summary.end(); ++entry) {
      names.push_back(entry.key());
    }
    return names;
  };
  EXPECT_THAT(keys(0), ElementsAre());
  EXPECT_THAT(keys(19), ElementsAre("n", "mean", "p50"));
  EXPECT_THAT(keys(99), ElementsAre("n", "mean", "p50", "p95"));
  EXPECT_THAT(keys(100), ElementsAre("n", "mean", "p50", "p95", "p99"));
}

TEST(Metrics, StagesAreConsecutive) {
  StageTimer timer;
  timer.End("one");
  timer.End("two");
  ASSERT_EQ(timer.stages().size(), 2U);
  EXPECT_EQ(timer.stages()[1].name, "two");
  EXPECT_DOUBLE_EQ(timer.total(), timer.stages()[0].seconds + timer.stages()[1].seconds);
  EXPECT_EQ(ToJson(timer)[0]["stage"], "one");
}

}  // namespace
}  // namespace engine
