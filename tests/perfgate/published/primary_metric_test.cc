// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/primary_metric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "perfgate/verdict/parity/primary_choice.h"

namespace perfgate::published {
namespace {

// In the order of precedence.
const std::vector<std::string> kNames = {"output_throughput", "tpot_mean", "tpot_p99",
                                         "ttft_mean",         "ttft_p99",  "latency_avg",
                                         "latency_p99",       "real_time"};

std::string Chosen(const std::vector<std::string>& names) {
  const auto chosen = ChoosePrimary(names);
  return chosen ? names[chosen->index] : "";
}

// What executables and files of results are judged by.
std::string ChosenLive(const std::vector<std::string>& names) {
  std::vector<Metric> metrics;
  std::vector<std::size_t> reported;
  for (const std::string& name : names) {
    reported.push_back(metrics.size());
    metrics.emplace_back();
    metrics.back().name = name;
  }
  return names[choose_primary(metrics, reported, "").metric];
}

TEST(PrimaryMetric, IsTheFirstOfTheOrderWhateverTheOrderOfTheNames) {
  for (std::size_t from = 0; from < kNames.size(); ++from) {
    std::vector<std::string> names(kNames.begin() + static_cast<std::ptrdiff_t>(from),
                                   kNames.end());
    std::reverse(names.begin(), names.end());
    EXPECT_EQ(Chosen(names), kNames[from]);
    EXPECT_EQ(ChosenLive(names), kNames[from]);
  }
}

// Live parity took the first of its kind that a session listed, here a tail instead of the mean.
TEST(PrimaryMetric, TheMeanGoesBeforeATailThatStandsFirst) {
  EXPECT_EQ(ChosenLive({"tpot_p99", "tpot_mean"}), "tpot_mean");
  EXPECT_EQ(ChosenLive({"ttft_p99", "ttft_mean"}), "ttft_mean");
  EXPECT_EQ(ChosenLive({"latency_p99", "latency_avg"}), "latency_avg");
}

TEST(PrimaryMetric, AThroughputOfTheInputDecidesNothing) {
  EXPECT_EQ(Chosen({"input_throughput"}), "");
  EXPECT_EQ(Chosen({"input_throughput", "ttft_mean"}), "ttft_mean");
  EXPECT_EQ(Chosen({"bytes"}), "");
  EXPECT_EQ(Chosen({}), "");
}

TEST(PrimaryMetric, TheFirstOfEqualsIsTaken) {
  EXPECT_EQ(Chosen({"total_throughput", "output_throughput"}), "total_throughput");
}

}  // namespace
}  // namespace perfgate::published
