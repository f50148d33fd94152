// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/vllm_serve.h"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "tests/perfgate/import/serving/vllm_serve_samples.h"

namespace perfgate::import {
namespace {

using namespace vllm;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kVllmCase = "serve/rate:inf/concurrency:4/prompts:6";

TEST(VllmServe, IsRecognised) {
  for (const char* file : {"detailed.json", "summary.json", "old.json", "some_failed.json"}) {
    EXPECT_TRUE(looks_like_vllm_serve(sample(file))) << file;
  }
  for (const json& other : {json(), json(3), json::array(), json{{"completed", 1}}}) {
    EXPECT_FALSE(looks_like_vllm_serve(other));
  }
}

TEST(VllmServe, EveryRequestIsASample) {
  const json file = sample("detailed.json");
  const Document document = read_file("detailed.json");
  expect_consistent(document);
  EXPECT_EQ(document.format, "vllm_serve");
  EXPECT_THAT(document.warnings, IsEmpty());
  const auto ttfts = records_of(document, kVllmCase, "ttft");
  const auto e2es = records_of(document, kVllmCase, "e2e_latency");
  const auto tpots = records_of(document, kVllmCase, "tpot");
  const auto itls = records_of(document, kVllmCase, "itl");
  ASSERT_EQ(ttfts.size(), 6U);
  ASSERT_EQ(e2es.size(), 6U);
  ASSERT_EQ(tpots.size(), 6U);
  ASSERT_EQ(itls.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    // Seconds in arrays.
    EXPECT_EQ(ttfts[i].value, file["ttfts"][i].get<double>());
    EXPECT_EQ(e2es[i].value, file["latencies"][i].get<double>());
    EXPECT_NEAR(tpots[i].value, (e2es[i].value - ttfts[i].value) / 15, 1e-15);
    const auto gaps = file["itls"][i].get<std::vector<double>>();
    EXPECT_NEAR(itls[i].value, std::accumulate(gaps.begin(), gaps.end(), 0.0) / 15, 1e-15);
    EXPECT_EQ(itls[i].iterations, 15);
    EXPECT_EQ(ttfts[i].order, static_cast<int>(i));
    EXPECT_EQ(ttfts[i].round, 0);
    EXPECT_EQ(ttfts[i].metric, (Metric{"ttft", "s", Direction::kLower, Kind::kTime}));
  }
  EXPECT_THAT(values_of(records_of(document, kVllmCase, "output_throughput")),
              ElementsAre(file["output_throughput"].get<double>()));
  EXPECT_EQ(metrics_of(document, RecordKind::kSample),
            (std::set<std::string>{"ttft", "tpot", "itl", "e2e_latency", "request_throughput",
                                   "output_throughput", "total_token_throughput"}));
  EXPECT_THAT(metrics_of(document, RecordKind::kAggregate), IsEmpty());
}

TEST(VllmServe, WorkloadSaysWhatWasRun) {
  const Document document = read_file("detailed.json");
  const Fields& fields = document.workload.at(kVllmCase);
  EXPECT_EQ(fields.at("model"), "example/model-8b");
  EXPECT_EQ(fields.at("tokenizer"), "example/model-8b");
  EXPECT_EQ(fields.at("request_rate"), "inf");
  EXPECT_EQ(fields.at("max_concurrency"), "4");
  EXPECT_EQ(fields.at("num_prompts"), "6");
  EXPECT_EQ(fields.at("burstiness"), "1");
  EXPECT_EQ(fields.at("failed_requests"), "0");
  EXPECT_EQ(fields.at("output_lens"), "16x6");
  EXPECT_EQ(fields.at("output_tokens"), "96");
  EXPECT_FALSE(fields.contains("date"));
  EXPECT_FALSE(fields.contains("label"));
}

TEST(VllmServe, WithoutDetailsLatenciesAreAggregates) {
  const json file = sample("summary.json");
  const Document document = read_file("summary.json");
  expect_consistent(document);
  EXPECT_THAT(metrics_of(document, RecordKind::kAggregate),
              ElementsAre("e2e_latency", "itl", "tpot", "ttft"));
  // One number over the whole run each.
  EXPECT_THAT(metrics_of(document, RecordKind::kSample),
              ElementsAre("output_throughput", "request_throughput", "total_token_throughput"));
  for (const Record& record : records_of(document, kVllmCase, "tpot", RecordKind::kAggregate)) {
    if (record.statistic == "p99") {
      EXPECT_DOUBLE_EQ(record.value, file["p99_tpot_ms"].get<double>() / 1000);
    }
  }
}

// Versions that keep `latencies` without details: good as long as nothing failed.
TEST(VllmServe, LatenciesAloneNeedACleanRun) {
  EXPECT_EQ(records_of(read_file("latencies_only.json"), kVllmCase, "e2e_latency").size(), 6U);
  json file = sample("latencies_only.json");
  file["failed"] = 1;
  file["completed"] = 5;
  const double duration = file["duration"];
  file["request_throughput"] = 5 / duration;
  const Document document = read(file);
  EXPECT_THAT(records_of(document, kVllmCase, "e2e_latency"), IsEmpty());
  EXPECT_THAT(document.warnings, ElementsAre(HasSubstr("not which of them failed")));
}

TEST(VllmServe, FailedRequestsInsideArraysAreFailures) {
  const Document document = read_file("some_failed.json");
  expect_consistent(document);
  const auto ttfts = records_of(document, kVllmCase, "ttft");
  ASSERT_EQ(ttfts.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const bool failed = i == 1 || i == 4;
    EXPECT_EQ(ttfts[i].status, failed ? Status::kFailed : Status::kOk) << i;
    EXPECT_EQ(ttfts[i].detail, failed ? "ConnectionResetError: peer closed the connection" : "");
  }
  // Told of once, and never as a latency of 0.
  EXPECT_EQ(records_of(document, kVllmCase, "e2e_latency").size(), 4U);
  const auto throughput = records_of(document, kVllmCase, "output_throughput");
  ASSERT_EQ(throughput.size(), 1U);
  EXPECT_EQ(throughput[0].status, Status::kFailed);
  EXPECT_EQ(throughput[0].detail, "failed_requests: 2 of 6 requests failed");
  EXPECT_FALSE(document.workload.at(kVllmCase).contains("failed_requests"));
}

TEST(VllmServe, AnAllFailedRunIsNotInfinitelyFast) {
  const json file = sample("all_failed.json");
  ASSERT_EQ(file["mean_ttft_ms"], 0.0);
  const Document document = read_file("all_failed.json");
  ASSERT_FALSE(document.records.empty());
  for (const Record& record : document.records) {
    EXPECT_EQ(record.status, Status::kFailed) << record.metric.name;
    EXPECT_EQ(record.detail, "failed_requests: 4 of 4 requests failed");
  }
  // An old file of the same run does not say "failed".
  json old = file;
  old.erase("failed");
  EXPECT_EQ(not_ok(read(old)).size(), read(old).records.size());
  old.erase("num_prompts");
  EXPECT_EQ(not_ok(read(old)).size(), read(old).records.size());
}

TEST(VllmServe, OneOutputTokenHasNoTimePerToken) {
  const json file = sample("one_token.json");
  ASSERT_EQ(file["mean_tpot_ms"], 0.0);
  for (const bool details : {true, false}) {
    json run = file;
    if (!details) {
      for (const char* key : {"ttfts", "itls", "output_lens", "input_lens", "errors", "latencies",
                              "start_times", "generated_texts"}) {
        run.erase(key);
      }
    }
    const Document document = read(run);
    for (const Record& record : document.records) {
      EXPECT_NE(record.metric.name, "tpot");
      EXPECT_NE(record.metric.name, "itl");
      EXPECT_EQ(record.status, Status::kOk);
    }
    EXPECT_THAT(document.warnings, testing::Each(HasSubstr("printed as 0")));
    EXPECT_EQ(document.warnings.size(), 2U);
  }
  // In a mixed run the requests that have it count: 16, 1, 16, 2, 16, 16 tokens.
  const Document mixed = read_file("mixed_lengths.json");
  EXPECT_EQ(records_of(mixed, kVllmCase, "tpot").size(), 5U);
  EXPECT_EQ(records_of(mixed, kVllmCase, "ttft").size(), 6U);
  EXPECT_THAT(not_ok(mixed), IsEmpty());
  EXPECT_EQ(mixed.workload.at(kVllmCase).at("output_lens"), "16x1 1x1 16x1 2x1 16x2");
}

TEST(VllmServe, OldFilesAreRead) {
  const Document document = read_file("old.json");
  expect_consistent(document);
  const std::string name = "serve/rate:inf/concurrency:4/prompts:6";
  // From ttft and the gaps, as there is no "latencies".
  EXPECT_EQ(records_of(document, name, "e2e_latency").size(), 6U);
  EXPECT_THAT(values_of(records_of(document, name, "request_goodput")), ElementsAre(12.5));
  EXPECT_EQ(document.workload.at(name).at("failed_requests"), "0");
  EXPECT_EQ(document.workload.at(name).at("best_of"), "1");
  // Without error texts a shortfall still shows.
  json file = sample("old.json");
  file.erase("errors");
  file["num_prompts"] = 8;
  const Document short_of_two = read(file);
  for (const Record& record : short_of_two.records) {
    EXPECT_EQ(record.status, Status::kFailed) << record.metric.name;
    EXPECT_EQ(record.detail, "failed_requests: 2 of 8 requests failed");
  }
}

TEST(VllmServe, MissingRequestsAreNoSuccess) {
  json file = sample("detailed.json");
  file["num_prompts"] = 10;
  const Document document = read(file);
  const auto throughput =
      records_of(document, "serve/rate:inf/concurrency:4/prompts:10", "output_throughput");
  ASSERT_EQ(throughput.size(), 1U);
  EXPECT_EQ(throughput[0].status, Status::kFailed);
  EXPECT_THAT(throughput[0].detail, HasSubstr("10 requests were asked for and 6"));
}

TEST(VllmServe, LinesOfOneCaseFollowEachOther) {
  const Document document = read_file("appended.json");
  expect_consistent(document);
  const auto ttfts = records_of(document, kVllmCase, "ttft");
  ASSERT_EQ(ttfts.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(ttfts[i].order, static_cast<int>(i));
  EXPECT_EQ(ttfts[0].row, 1U);
  EXPECT_EQ(ttfts[6].row, 2U);
  EXPECT_EQ(records_of(document, "serve/rate:8/concurrency:4/prompts:6", "ttft").size(), 6U);
  // A line cut short is no line.
  const std::string bytes = sample_bytes("vllm_serve/appended.json");
  const Refusal cut =
      refusal([&] { read_vllm_serve(bytes.substr(0, bytes.size() - 40), "f.json"); });
  EXPECT_EQ(cut.exit, Exit::kData);
  EXPECT_THAT(cut.message, testing::StartsWith("f.json:3:"));
  // Two models in one file are two arms.
  json other = sample("detailed.json");
  other["model_id"] = "example/other";
  const Refusal mixed = refusal(
      [&] { read_vllm_serve(sample("detailed.json").dump() + "\n" + other.dump(), "f.json"); });
  EXPECT_EQ(mixed.exit, Exit::kInvalid);
  EXPECT_THAT(mixed.message, HasSubstr("f.json:2: model is \"example/other\""));
}

TEST(VllmServe, SpeculationAndMetadataAreKept) {
  const Document document = read_file("speculative_metadata.json");
  const auto rates = records_of(document, kVllmCase, "acceptance_rate");
  ASSERT_EQ(rates.size(), 1U);
  EXPECT_DOUBLE_EQ(rates[0].value, 0.715);  // percent in the file
  EXPECT_TRUE(rates[0].informational);
  EXPECT_DOUBLE_EQ(records_of(document, kVllmCase, "acceptance_length")[0].value, 2.4);
  EXPECT_EQ(document.workload.at(kVllmCase).at("extra.version"), "0.11.0");
  EXPECT_EQ(document.workload.at(kVllmCase).at("extra.tp"), "2");
  json file = sample("detailed.json");
  file["rtfx"] = 1.5;
  const auto unknown = records_of(read(file), kVllmCase, "rtfx");
  ASSERT_EQ(unknown.size(), 1U);
  EXPECT_TRUE(unknown[0].informational);
  // --metadata num_prompts=6 makes it text.
  const Refusal refusal = refused("detailed.json", [](json& f) { f["num_prompts"] = "6"; });
  EXPECT_EQ(refusal.exit, Exit::kData);
  EXPECT_THAT(refusal.message, HasSubstr("/num_prompts"));
}

// Embedding runs generate nothing.
TEST(VllmServe, EmbeddingRunsHaveOnlyEndToEndTimes) {
  json file = sample("detailed.json");
  for (const char* key : {"failed", "output_lens", "ttfts", "itls", "total_output_tokens",
                          "output_throughput", "start_times", "generated_texts"}) {
    file.erase(key);
  }
  for (auto it = file.begin(); it != file.end();) {
    const bool other = it.key().ends_with("_ms") && it.key().find("e2el") == std::string::npos;
    it = other ? file.erase(it) : std::next(it);
  }
  file["output_lens"] = 0;
  file["total_input_sequences"] = 6;
  const double duration = file["duration"];
  file["total_token_throughput"] = file["total_input_tokens"].get<double>() / duration;
  file["input_sequence_throughput"] = 6 / duration;
  const Document document = read(file);
  expect_consistent(document);
  EXPECT_THAT(not_ok(document), IsEmpty());
  EXPECT_EQ(metrics_of(document, RecordKind::kSample),
            (std::set<std::string>{"e2e_latency", "request_throughput", "total_token_throughput",
                                   "input_sequence_throughput"}));
}

}  // namespace
}  // namespace perfgate::import
