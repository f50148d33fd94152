// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/sglang.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSglangCase =
    "serve/dataset:random/in:32/out:16/range:1/rate:inf/concurrency:4";

Document sglang_sample(const std::string& file) {
  return read_sglang(sample_bytes("sglang/" + file), file);
}

std::string first_line(const std::string& file) {
  const std::string bytes = sample_bytes("sglang/" + file);
  return bytes.substr(0, bytes.find('\n'));
}

// The first line of a sample as JSON; its bare words become a rate.
json run(const std::string& file) {
  std::string line = first_line(file);
  if (const auto at = line.find("Infinity"); at != std::string::npos) line.replace(at, 8, "8.0");
  return json::parse(line);
}

Document sglang_of(const json& document) { return read_sglang(document.dump(), "f.jsonl"); }

TEST(Sglang, IsRecognised) {
  EXPECT_TRUE(looks_like_sglang(run("detailed.jsonl")));
  EXPECT_TRUE(looks_like_sglang(run("summary.jsonl")));
  EXPECT_FALSE(looks_like_sglang(json::parse(sample_bytes("vllm_serve/detailed.json"))));
  EXPECT_FALSE(looks_like_sglang(json()));
}

// An unlimited rate, the default, is the bare word Infinity.
TEST(Sglang, EveryRequestOfEveryLineIsASampleOfOneRound) {
  ASSERT_THAT(sample_bytes("sglang/detailed.jsonl"), HasSubstr("\"request_rate\": Infinity"));
  const Document document = sglang_sample("detailed.jsonl");
  expect_consistent(document);
  EXPECT_EQ(document.format, "sglang");
  const json file = run("detailed.jsonl");
  for (const char* metric : {"ttft", "tpot", "itl", "e2e_latency"}) {
    const auto records = records_of(document, kSglangCase, metric);
    ASSERT_EQ(records.size(), 12U) << metric;
    for (std::size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(records[i].round, 0);
      EXPECT_EQ(records[i].order, static_cast<int>(i));
      EXPECT_EQ(records[i].row, i / 6 + 1);
      EXPECT_EQ(records[i].status, Status::kOk);
    }
  }
  const auto ttfts = records_of(document, kSglangCase, "ttft");
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(ttfts[i].value, file["ttfts"][i].get<double>());
  EXPECT_EQ(records_of(document, kSglangCase, "total_token_throughput").size(), 2U);
  EXPECT_EQ(records_of(document, kSglangCase, "input_throughput").size(), 2U);
}

TEST(Sglang, ServerArgumentsAreTheEnvironment) {
  const Document document = sglang_sample("detailed.jsonl");
  EXPECT_EQ(document.environment.at("server.tp_size"), "1");
  EXPECT_EQ(document.environment.at("server.enable_metrics"), "false");
  EXPECT_EQ(document.version, "0.5.4");
  for (const char* key :
       {"server.api_key", "server.random_seed", "server.port", "server.internal_states"}) {
    EXPECT_FALSE(document.environment.contains(key)) << key;
  }
  const Fields& fields = document.workload.at(kSglangCase);
  EXPECT_EQ(fields.at("model"), "/models/model-8b");
  EXPECT_EQ(fields.at("request_rate"), "inf");
  EXPECT_EQ(fields.at("failed_requests"), "0");
  EXPECT_EQ(fields.at("output_lens"), "16x6");
  // Two servers in one file are two rounds or two arms.
  json other = run("detailed.jsonl");
  other["server_info"]["tp_size"] = 2;
  const Refusal mixed =
      refusal([&] { read_sglang(run("detailed.jsonl").dump() + "\n" + other.dump(), "f.jsonl"); });
  EXPECT_EQ(mixed.exit, Exit::kInvalid);
  EXPECT_THAT(mixed.message, HasSubstr("f.jsonl:2: server.tp_size"));
}

TEST(Sglang, WithoutDetailsNothingIsKnownOfFailures) {
  const Document document = sglang_sample("summary.jsonl");
  expect_consistent(document);
  for (const char* rate : {"4", "16"}) {
    const std::string name =
        std::string("serve/dataset:random/in:32/out:16/range:1/rate:") + rate + "/concurrency:4";
    EXPECT_THAT(records_of(document, name, "ttft"), IsEmpty());
    EXPECT_EQ(records_of(document, name, "ttft", RecordKind::kAggregate).size(), 4U);
    EXPECT_EQ(records_of(document, name, "e2e_latency", RecordKind::kAggregate).size(), 4U);
    EXPECT_FALSE(document.workload.at(name).contains("failed_requests"));
  }
  EXPECT_THAT(document.warnings, testing::Each(HasSubstr("does not say how many requests failed")));
  EXPECT_EQ(document.warnings.size(), 2U);
}

TEST(Sglang, ErrorsAreFailures) {
  const Document document = sglang_sample("some_failed.jsonl");
  expect_consistent(document);
  const auto ttfts = records_of(document, kSglangCase, "ttft");
  ASSERT_EQ(ttfts.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(ttfts[i].status, i == 2 ? Status::kFailed : Status::kOk);
  }
  EXPECT_EQ(records_of(document, kSglangCase, "output_throughput")[0].detail,
            "failed_requests: 1 of 6 requests failed");
  // The summaries of nothing are NaN here and 0 there.
  ASSERT_THAT(sample_bytes("sglang/all_failed.jsonl"), HasSubstr("\"mean_e2e_latency_ms\": NaN"));
  for (const Record& record : sglang_sample("all_failed.jsonl").records) {
    EXPECT_EQ(record.status, Status::kFailed) << record.metric.name;
  }
  // A failure whose reason is empty shows as no output.
  json silent = run("some_failed.jsonl");
  silent["errors"][2] = "";
  const Document quiet = sglang_of(silent);
  std::size_t failed = 0;
  for (const Record& record : quiet.records) {
    failed += record.metric.name == "ttft" && record.status == Status::kFailed ? 1U : 0U;
  }
  EXPECT_EQ(failed, 1U);
}

TEST(Sglang, OneOutputTokenHasNoTimePerToken) {
  const Document document = sglang_sample("one_token.jsonl");
  for (const Record& record : document.records) {
    EXPECT_NE(record.metric.name, "tpot");
    EXPECT_NE(record.metric.name, "itl");
    EXPECT_EQ(record.status, Status::kOk);
  }
}

// The tool divides a gap by the tokens accepted in it; the file has the undivided gaps.
TEST(Sglang, SpeculationChangesWhatGapsMean) {
  const Document document = sglang_sample("speculative.jsonl");
  EXPECT_EQ(records_of(document, kSglangCase, "itl").size(), 6U);
  EXPECT_DOUBLE_EQ(records_of(document, kSglangCase, "acceptance_length")[0].value, 2.3);
  json plain = run("speculative.jsonl");
  plain["accept_length"] = nullptr;
  EXPECT_EQ(refusal([&] { sglang_of(plain); }).exit, Exit::kInvalid);
}

TEST(Sglang, ContradictionsAreInvalid) {
  const auto expect_invalid = [](const std::function<void(json&)>& change, const char* words) {
    json document = run("detailed.jsonl");
    change(document);
    const Refusal refusal = import::refusal([&] { sglang_of(document); });
    EXPECT_EQ(refusal.exit, Exit::kInvalid) << words;
    EXPECT_THAT(refusal.message, HasSubstr(words));
  };
  for (const char* key : {"mean_ttft_ms", "median_ttft_ms", "std_ttft_ms", "p99_ttft_ms",
                          "mean_itl_ms", "p95_itl_ms", "max_itl_ms", "request_throughput",
                          "input_throughput", "output_throughput", "total_throughput"}) {
    expect_invalid([&](json& f) { f[key] = f[key].get<double>() * 0.9; }, key);
  }
  // End to end follows from ttft and gaps: the tool's own clock stops later, never much earlier.
  for (const char* key : {"mean_e2e_latency_ms", "mean_tpot_ms"}) {
    expect_invalid([&](json& f) { f[key] = f[key].get<double>() * 0.5; }, key);
  }
  expect_invalid([](json& f) { f["completed"] = 5; }, "/completed is 5");
  expect_invalid([](json& f) { f["ttfts"].erase(0); }, "/ttfts");
  expect_invalid([](json& f) { f["output_lens"][0] = 15; }, "/output_lens sums to 95");
}

TEST(Sglang, AWarmCacheIsOtherWork) {
  json cold = run("detailed.jsonl");
  cold["cache_report"] = {{"total_cached_tokens", 0}, {"cache_hit_rate_pct", 0.0}};
  json warm = cold;
  warm["cache_report"] = {{"total_cached_tokens", 150}, {"cache_hit_rate_pct", 78.13}};
  const auto rate = [](const std::string& text) {
    const Document document = read_sglang(text, "f.jsonl");
    return document.workload.begin()->second.at("cache_hit_rate_pct");
  };
  EXPECT_EQ(rate(cold.dump()), "0");
  EXPECT_EQ(rate(warm.dump()), "78");
  EXPECT_EQ(rate(cold.dump() + "\n" + warm.dump()), "0; 78");
}

TEST(Sglang, OtherDatasetsHaveTheirOwnNames) {
  json document = run("detailed.jsonl");
  document["dataset_name"] = "sharegpt";
  document["sharegpt_output_len"] = 16;
  document["request_rate"] = "trace";
  EXPECT_EQ(sglang_of(document).workload.begin()->first,
            "serve/dataset:sharegpt/out:16/rate:trace/concurrency:4");
}

TEST(Sglang, SurvivesAnyFieldBeingAnything) {
  const json file = run("some_failed.jsonl");
  const json values[] = {nullptr,
                         true,
                         -1,
                         0,
                         1e300,
                         "x",
                         json::array(),
                         json::array({nullptr}),
                         json::object(),
                         json::array({json::array({1})}),
                         3.5};
  for (const auto& [key, ignored] : file.items()) {
    for (const json& value : values) {
      json changed = file;
      changed[key] = value;
      const Refusal refusal = import::refusal([&] { expect_consistent(sglang_of(changed)); });
      EXPECT_THAT(refusal.exit, testing::AnyOf(Exit::kPass, Exit::kData, Exit::kInvalid)) << key;
    }
  }
}

}  // namespace
}  // namespace perfgate::import
