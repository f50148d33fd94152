// SPDX-License-Identifier: Apache-2.0
// Files that were edited, mixed or cut.
#include <gmock/gmock.h>

#include <functional>

#include "perfgate/import/serving/vllm_serve.h"
#include "tests/perfgate/import/serving/vllm_serve_samples.h"

namespace perfgate::import {
namespace {

using namespace vllm;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(VllmServe, WhatCannotBeTrueIsRejected) {
  json file = sample("detailed.json");
  file["ttfts"][2] = 0.0;
  for (const char* key :
       {"mean_ttft_ms", "median_ttft_ms", "std_ttft_ms", "p50_ttft_ms", "p99_ttft_ms",
        "mean_tpot_ms", "median_tpot_ms", "std_tpot_ms", "p50_tpot_ms", "p99_tpot_ms"}) {
    file.erase(key);
  }
  auto rejected = not_ok(read(file));
  ASSERT_EQ(rejected.size(), 1U);
  EXPECT_EQ(rejected[0].status, Status::kRejected);
  EXPECT_EQ(rejected[0].metric.name, "ttft");
  // The first token after the last one.
  file = sample("detailed.json");
  file["ttfts"][2] = 7.5;
  EXPECT_EQ(refusal([&] { read(file); }).exit, Exit::kInvalid);
  for (const char* key :
       {"mean_ttft_ms", "median_ttft_ms", "std_ttft_ms", "p50_ttft_ms", "p99_ttft_ms",
        "mean_tpot_ms", "median_tpot_ms", "std_tpot_ms", "p50_tpot_ms", "p99_tpot_ms"}) {
    file.erase(key);
  }
  rejected = not_ok(read(file));
  ASSERT_EQ(rejected.size(), 1U);
  EXPECT_EQ(rejected[0].metric.name, "tpot");
  EXPECT_EQ(rejected[0].status, Status::kRejected);
  // Python's NaN.
  const std::string text =
      replaced(sample("summary.json").dump(), "\"mean_ttft_ms\":", "\"mean_ttft_ms\":NaN,\"x\":");
  rejected = not_ok(read_vllm_serve(text, "f.json"));
  ASSERT_EQ(rejected.size(), 1U);
  EXPECT_EQ(rejected[0].statistic, "mean");
  EXPECT_EQ(rejected[0].status, Status::kRejected);
}

// Every list and every summary against the rest of the file.
TEST(VllmServe, ContradictionsAreInvalid) {
  const auto expect_invalid = [](const std::function<void(json&)>& change, const char* words) {
    const Refusal refusal = refused("detailed.json", change);
    EXPECT_EQ(refusal.exit, Exit::kInvalid) << words;
    EXPECT_THAT(refusal.message, testing::StartsWith("f.json:1: ")) << words;
    EXPECT_THAT(refusal.message, HasSubstr(words));
  };
  for (const char* list : {"ttfts", "itls", "latencies", "output_lens", "input_lens", "errors"}) {
    expect_invalid([&](json& f) { f[list].erase(0); }, list);
  }
  const json file = sample("detailed.json");
  for (const auto& [key, value] : file.items()) {
    const bool summary = key.ends_with("_ms") || key.ends_with("_throughput");
    if (!summary || !value.is_number_float()) continue;
    const std::string pointer = "/" + key;
    expect_invalid([&, name = key](json& f) { f[name] = f[name].get<double>() * 0.97 - 0.02; },
                   pointer.c_str());
  }
  expect_invalid([](json& f) { f["failed"] = 1; }, "/failed is 1");
  expect_invalid([](json& f) { f["completed"] = 5; }, "/completed is 5");
  expect_invalid([](json& f) { f["num_prompts"] = 5; }, "/num_prompts is 5");
  expect_invalid([](json& f) { f["errors"][3] = "boom"; }, "/completed is 6");
  expect_invalid([](json& f) { f["total_output_tokens"] = 95; }, "/total_output_tokens is 95");
  expect_invalid([](json& f) { f["total_input_tokens"] = 1; }, "/total_input_tokens is 1");
  expect_invalid([](json& f) { f["output_lens"][0] = 17; }, "/output_lens sums to 97");
}

TEST(VllmServe, RoundedSummariesAreNoContradiction) {
  json file = sample("detailed.json");
  for (auto& [key, value] : file.items()) {
    if (value.is_number_float() && (key.ends_with("_ms") || key.ends_with("_throughput"))) {
      value = std::round(value.get<double>() * 100) / 100;
    }
  }
  EXPECT_THAT(not_ok(read(file)), IsEmpty());
}

TEST(VllmServe, RefusesBadFields) {
  const auto expect_data = [](const std::function<void(json&)>& change, const char* words) {
    const Refusal refusal = refused("detailed.json", change);
    EXPECT_EQ(refusal.exit, Exit::kData) << words;
    EXPECT_THAT(refusal.message, HasSubstr(words));
  };
  expect_data([](json& f) { f["request_rate"] = "fast"; }, "/request_rate");
  expect_data([](json& f) { f["request_rate"] = 0; }, "/request_rate");
  expect_data([](json& f) { f["request_rate"] = true; }, "/request_rate");
  expect_data([](json& f) { f.erase("completed"); }, "/completed");
  expect_data([](json& f) { f["completed"] = -1; }, "/completed");
  expect_data([](json& f) { f["ttfts"][1] = "0.1"; }, "/ttfts/1");
  expect_data([](json& f) { f["itls"][1] = 3; }, "/itls/1");
  expect_data([](json& f) { f = json::array({1}); }, "object");
  EXPECT_EQ(refusal([] { read_vllm_serve("{\"a\":1,\"a\":2}", "f"); }).exit, Exit::kInvalid);
  EXPECT_EQ(refusal([] { read_vllm_serve("", "f"); }).exit, Exit::kData);
}

// Any field replaced by any other value: an Error or a document, never a crash, and never a value
// that is not finite.
TEST(VllmServe, SurvivesAnyFieldBeingAnything) {
  const json file = sample("some_failed.json");
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
                         3.5,
                         "inf"};
  int accepted = 0;
  for (const auto& [key, ignored] : file.items()) {
    for (const json& value : values) {
      json changed = file;
      changed[key] = value;
      const Refusal refusal = import::refusal([&] { expect_consistent(read(changed)); });
      accepted += refusal.exit == Exit::kPass ? 1 : 0;
      if (refusal.exit != Exit::kPass) {
        EXPECT_THAT(refusal.exit, testing::AnyOf(Exit::kData, Exit::kInvalid));
      }
    }
  }
  EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace perfgate::import
