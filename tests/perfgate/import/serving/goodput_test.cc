// SPDX-License-Identifier: Apache-2.0
// Requests within limits, and runs of which some requests failed.
#include "perfgate/import/serving/goodput.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/perfgate/import/serving/vllm_serve_samples.h"

namespace perfgate::import {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr char kCase[] = "serve/rate:inf/concurrency:4/prompts:6";

Document ReadWith(const json& file, const RequestRules& rules) {
  MetricRegistry registry = MetricRegistry::built_in();
  registry.set_request_rules(rules);
  return read_vllm_serve(file.dump(), "f.json", registry);
}

std::vector<double> Values(const Document& document, const char* metric) {
  return values_of(records_of(document, kCase, metric));
}

TEST(Goodput, CountsTheRequestsWithinAllLimits) {
  const json file = vllm::sample("detailed.json");
  std::vector<double> ttfts = file["ttfts"];
  std::sort(ttfts.begin(), ttfts.end());
  const double duration = file["duration"];
  for (std::size_t good = 0; good < ttfts.size(); ++good) {
    const RequestRules rules{.limits = {{"ttft", good == 0 ? ttfts[0] / 2 : ttfts[good - 1]}}};
    const Document document = ReadWith(file, rules);
    const auto count = static_cast<double>(good);
    ASSERT_EQ(Values(document, "request_goodput").size(), 1U);
    EXPECT_NEAR(Values(document, "request_goodput")[0], count / duration, 1e-12);
    EXPECT_NEAR(Values(document, "limit_misses")[0], 1 - count / 6, 1e-12);
    EXPECT_TRUE(document.workload.at(kCase).contains("request_limits"));
  }
  // Of two limits a request keeps both or is missed.
  const RequestRules both{.limits = {{"e2e_latency", 1e-9}, {"ttft", 1e9}}};
  EXPECT_THAT(Values(ReadWith(file, both), "limit_misses"), ElementsAre(1));
}

TEST(Goodput, WithoutRulesNothingIsAdded) {
  const Document document = ReadWith(vllm::sample("detailed.json"), {});
  EXPECT_THAT(Values(document, "limit_misses"), IsEmpty());
  EXPECT_THAT(Values(document, "failed_share"), IsEmpty());
  EXPECT_FALSE(document.workload.at(kCase).contains("request_limits"));
}

TEST(Goodput, OneTokenHasNoTimePerTokenAndMissesNoLimitOfIt) {
  const RequestRules rules{.limits = {{"tpot", 1e9}}};
  EXPECT_THAT(Values(ReadWith(vllm::sample("one_token.json"), rules), "limit_misses"),
              Not(Contains(1)));
}

TEST(Goodput, WithoutDetailsALimitIsNotJudgedAndSaysSo) {
  const Document document = ReadWith(vllm::sample("summary.json"), {.limits = {{"ttft", 1}}});
  EXPECT_THAT(Values(document, "limit_misses"), IsEmpty());
  EXPECT_THAT(document.warnings, Contains(HasSubstr("save the details of requests")));
}

TEST(Goodput, WhatTheToolPrintedIsReplacedAndNamed) {
  json file = vllm::sample("detailed.json");
  file["request_goodput"] = 12.5;
  const Document document = ReadWith(file, {.limits = {{"ttft", 1e-9}}});
  EXPECT_THAT(Values(document, "request_goodput"), ElementsAre(0));
  EXPECT_THAT(document.warnings, Contains(HasSubstr("request_goodput is formed anew")));
}

// Two of six requests failed.
TEST(Goodput, FailuresThatMayBeAreComparedAndTheOthersCount) {
  const json file = vllm::sample("some_failed.json");
  for (const double allowed : {0.0, 0.3}) {
    EXPECT_THAT(vllm::not_ok(ReadWith(file, {.limits = {}, .allowed_failures = allowed})),
                Not(IsEmpty()));
  }
  const Document document = ReadWith(file, {.limits = {{"ttft", 1e9}}, .allowed_failures = 0.34});
  EXPECT_THAT(vllm::not_ok(document), IsEmpty());
  EXPECT_EQ(Values(document, "ttft").size(), 4U);
  EXPECT_NEAR(Values(document, "failed_share").at(0), 2.0 / 6, 1e-12);
  EXPECT_NEAR(Values(document, "limit_misses").at(0), 2.0 / 6, 1e-12);
  EXPECT_EQ(document.workload.at(kCase).at("allowed_failures"), "0.34");
  // An arm without a failure and one with some are of one workload.
  EXPECT_FALSE(document.workload.at(kCase).contains("failed_requests"));
  EXPECT_FALSE(document.workload.at(kCase).contains("completed_requests"));
}

TEST(Goodput, ARunOfWhichNothingCompletedHasFailedWhateverIsAllowed) {
  const Document document =
      ReadWith(vllm::sample("all_failed.json"), {.limits = {}, .allowed_failures = 0.99});
  EXPECT_EQ(vllm::not_ok(document).size(), document.records.size());
}

}  // namespace
}  // namespace perfgate::import
