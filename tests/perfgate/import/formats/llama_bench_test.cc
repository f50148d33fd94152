// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/llama_bench.h"

#include <gmock/gmock.h>

#include <functional>

#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

json rows() { return json::parse(sample_bytes("llama_bench/runs.json")); }

Document llama_bench_of(const json& document) {
  return read_llama_bench(document.dump(), "f.json");
}

std::vector<std::string> case_names(const Document& document) {
  std::vector<std::string> names;
  for (const auto& [name, fields] : document.workload) names.push_back(name);
  return names;
}

TEST(LlamaBench, IsRecognised) {
  EXPECT_TRUE(looks_like_llama_bench(rows()));
  EXPECT_TRUE(looks_like_llama_bench(rows()[0]));
  EXPECT_FALSE(looks_like_llama_bench(json::array()));
  EXPECT_FALSE(looks_like_llama_bench(json::array({1})));
  EXPECT_FALSE(looks_like_llama_bench(json()));
}

// Both notations hold the same.
TEST(LlamaBench, RepetitionsAreSamples) {
  for (const char* file : {"runs.json", "runs.jsonl"}) {
    const Document document =
        read_llama_bench(sample_bytes(std::string("llama_bench/") + file), file);
    expect_consistent(document);
    EXPECT_THAT(case_names(document), ElementsAre("pp512", "pp512+tg128", "tg128", "tg128@d4096"));
    const auto records = records_of(document, "pp512", "time");
    ASSERT_EQ(records.size(), 5U);
    EXPECT_DOUBLE_EQ(records[0].value, 1.204000123);
    EXPECT_EQ(records[4].order, 4);
    EXPECT_EQ(records[0].iterations, 1);
    EXPECT_EQ(records[0].metric, (Metric{"time", "s", Direction::kLower, Kind::kTime}));
    // The tool's rates are means of rates: shown, not evidence.
    EXPECT_THAT(records_of(document, "pp512", "throughput"), IsEmpty());
    const auto rates = records_of(document, "pp512", "throughput", RecordKind::kAggregate);
    ASSERT_EQ(rates.size(), 2U);
    EXPECT_TRUE(rates[0].informational && rates[1].informational);
    EXPECT_EQ(document.commit, "a1b2c3d4");
    EXPECT_EQ(document.version, "6000");
    EXPECT_EQ(document.environment.at("cpu_info"), "Example CPU 16-Core");
    EXPECT_EQ(document.environment.at("backends"), "CPU");
  }
}

TEST(LlamaBench, IdentityIsEverythingButResults) {
  const Document document = llama_bench_of(rows());
  const Fields& fields = document.workload.at("pp512");
  EXPECT_EQ(fields.at("model_type"), "llama 1B Q4_0");
  EXPECT_EQ(fields.at("no_op_offload"), "0");
  EXPECT_EQ(fields.at("use_mmap"), "true");
  for (const char* key : {"test_time", "avg_ns", "stddev_ts", "samples_ns", "build_commit",
                          "model_filename", "cpu_info"}) {
    EXPECT_FALSE(fields.contains(key)) << key;
  }
  // Fields come and go with versions.
  json newer = rows();
  for (json& row : newer) {
    row.erase("use_mmap");
    row["load_mode"] = "mmap";
  }
  EXPECT_EQ(llama_bench_of(newer).workload.at("pp512").at("load_mode"), "mmap");
}

TEST(LlamaBench, WhatVariesNamesTheCase) {
  const Document document = read_llama_bench(sample_bytes("llama_bench/sweep.jsonl"), "f.jsonl");
  EXPECT_THAT(case_names(document), ElementsAre("pp512/n_threads:4", "pp512/n_threads:8"));
  // Rows of one case continue each other.
  json twice = json::array({rows()[0], rows()[0]});
  const auto records = records_of(llama_bench_of(twice), "pp512", "time");
  ASSERT_EQ(records.size(), 10U);
  EXPECT_EQ(records[9].order, 9);
  EXPECT_EQ(records[9].row, 2U);
}

TEST(LlamaBench, ALineThatLacksLeavesNoTrace) {
  const std::string bytes = sample_bytes("llama_bench/runs.jsonl");
  const std::string three = bytes.substr(0, bytes.find('\n', bytes.find('\n') + 1) + 1);
  EXPECT_THAT(case_names(read_llama_bench(three, "f.jsonl")), ElementsAre("pp512", "tg128"));
  const Refusal cut = refusal([&] { read_llama_bench(bytes.substr(0, bytes.size() - 9), "f"); });
  EXPECT_EQ(cut.exit, Exit::kData);
  EXPECT_THAT(cut.message, testing::StartsWith("f:4:"));
}

TEST(LlamaBench, AnOpenListIsACrash) {
  const Refusal crashed =
      refusal([] { read_llama_bench(sample_bytes("llama_bench/crashed.json.cut"), "f.json"); });
  EXPECT_EQ(crashed.exit, Exit::kData);
  EXPECT_THAT(crashed.message, HasSubstr("crashed"));
  EXPECT_EQ(refusal([] { read_llama_bench("[\n", "f"); }).exit, Exit::kData);
  EXPECT_EQ(refusal([] { read_llama_bench("[\n\n]\n", "f"); }).exit, Exit::kInvalid);
}

TEST(LlamaBench, RatesFollowFromTimes) {
  const auto expect_invalid = [](const std::function<void(json&)>& change, const char* words) {
    json document = rows();
    change(document);
    const Refusal refusal = import::refusal([&] { llama_bench_of(document); });
    EXPECT_EQ(refusal.exit, Exit::kInvalid) << words;
    EXPECT_THAT(refusal.message, HasSubstr(words));
  };
  expect_invalid(
      [](json& f) { f[1]["samples_ts"][2] = f[1]["samples_ts"][2].get<double>() * 1.001; },
      "f.json: /1: /samples_ts/2");
  expect_invalid([](json& f) { f[0]["samples_ts"].erase(0); }, "f.json: /0: /samples_ts has 4");
  expect_invalid([](json& f) { f[0]["avg_ns"] = f[0]["avg_ns"].get<double>() - 9e6; }, "/avg_ns");
  expect_invalid([](json& f) { f[0]["avg_ts"] = f[0]["avg_ts"].get<double>() + 0.5; }, "/avg_ts");
  // A rate of prompt tokens alone would be another one.
  expect_invalid(
      [](json& f) {
        f[2]["n_gen"] = 0;
        f[2]["n_prompt"] = 500;
      },
      "/samples_ts/0");
  expect_invalid([](json& f) { f[1]["build_commit"] = "ffffffff"; }, "build_commit");
  expect_invalid([](json& f) { f[3]["cpu_info"] = "another"; }, "cpu_info");
  expect_invalid([](json& f) { f[1]["n_gen"] = 0; }, "nothing was run");
}

TEST(LlamaBench, WithoutSamplesOnlyAggregates) {
  json document = json::array({rows()[0]});
  document[0].erase("samples_ns");
  document[0].erase("samples_ts");
  const Document read_back = llama_bench_of(document);
  expect_consistent(read_back);
  ASSERT_EQ(read_back.records.size(), 4U);
  for (const Record& record : read_back.records) {
    EXPECT_EQ(record.kind, RecordKind::kAggregate);
    EXPECT_EQ(record.informational, record.statistic == "stddev");
  }
  EXPECT_THAT(read_back.warnings, ElementsAre(HasSubstr("only aggregates")));
  document[0]["samples_ns"] = json::array();
  EXPECT_EQ(records_of(llama_bench_of(document), "pp512", "time")[0].status, Status::kMissing);
  document[0]["samples_ns"] = {0, 1204000123};
  document[0].erase("avg_ns");
  const auto records = records_of(llama_bench_of(document), "pp512", "time");
  EXPECT_EQ(records[0].status, Status::kRejected);
  EXPECT_EQ(records[1].status, Status::kOk);
}

TEST(LlamaBench, SurvivesAnyFieldBeingAnything) {
  const json values[] = {
      nullptr, true, -1, 0, 1e300, "x", json::array(), json::array({nullptr}), json::object(), 3.5};
  const json first = rows()[0];
  for (const auto& [key, ignored] : first.items()) {
    for (const json& value : values) {
      json changed = rows();
      changed[0][key] = value;
      const Refusal refusal = import::refusal([&] { expect_consistent(llama_bench_of(changed)); });
      EXPECT_THAT(refusal.exit, testing::AnyOf(Exit::kPass, Exit::kData, Exit::kInvalid)) << key;
    }
  }
}

}  // namespace
}  // namespace perfgate::import
