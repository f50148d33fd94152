// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "perfgate/import/serving/vllm_latency.h"
#include "perfgate/import/serving/vllm_throughput.h"
#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

json latency() { return json::parse(sample_bytes("vllm_latency/latency.json")); }
json throughput() { return json::parse(sample_bytes("vllm_throughput/throughput.json")); }

Document read_latency(const json& document) { return read_vllm_latency(document.dump(), "f.json"); }
Document read_throughput(const json& document) {
  return read_vllm_throughput(document.dump(), "f.json");
}

TEST(VllmLatency, EveryBatchIsASample) {
  EXPECT_TRUE(looks_like_vllm_latency(latency()));
  EXPECT_FALSE(looks_like_vllm_latency(throughput()));
  const Document document = read_latency(latency());
  expect_consistent(document);
  EXPECT_EQ(document.records.size(), 10U);
  const auto records = records_of(document, "latency", "latency");
  EXPECT_EQ(values_of(records), latency()["latencies"].get<std::vector<double>>());
  EXPECT_EQ(records[9].order, 9);
  EXPECT_EQ(records[0].metric.unit, "s");
  EXPECT_THAT(document.warnings, ElementsAre(HasSubstr("which model")));
  EXPECT_TRUE(document.workload.contains("latency"));
}

TEST(VllmLatency, WithoutSamplesOnlyAggregates) {
  json file = latency();
  file["latencies"] = json::array();
  const Document document = read_latency(file);
  expect_consistent(document);
  ASSERT_EQ(document.records.size(), 8U);
  for (const Record& record : document.records) EXPECT_EQ(record.kind, RecordKind::kAggregate);
}

TEST(VllmLatency, ChecksEveryAggregate) {
  for (const char* key : {"avg_latency", "std_latency"}) {
    json file = latency();
    file[key] = file[key].get<double>() * 0.9;
    const Refusal refused = refusal([&] { read_latency(file); });
    EXPECT_EQ(refused.exit, Exit::kInvalid);
    EXPECT_THAT(refused.message, HasSubstr(std::string("f.json:1: /") + key));
  }
  for (const char* percent : {"10", "50", "99"}) {
    json file = latency();
    file["percentiles"][percent] = 0.3;
    const Refusal refused = refusal([&] { read_latency(file); });
    EXPECT_EQ(refused.exit, Exit::kInvalid);
    EXPECT_THAT(refused.message, HasSubstr(std::string("/percentiles/") + percent));
  }
}

TEST(VllmLatency, RejectsImpossibleSamples) {
  for (const char* value : {"0", "-0.5", "NaN", "Infinity"}) {
    const std::string text = std::string("{\"avg_latency\":0.5,\"latencies\":[0.5,") + value + "]}";
    // The mean of the two is another one than the file's, unless there is none.
    const bool finite = std::string(value) != "NaN" && std::string(value) != "Infinity";
    if (finite) {
      EXPECT_EQ(refusal([&] { read_vllm_latency(text, "f"); }).exit, Exit::kInvalid) << value;
    }
    const std::string bare =
        std::string("{\"avg_latency\":null,\"latencies\":[0.5,") + value + "]}";
    const Document document = read_vllm_latency(bare, "f");
    ASSERT_EQ(document.records.size(), 2U);
    EXPECT_EQ(document.records[0].status, Status::kOk);
    EXPECT_EQ(document.records[1].status, Status::kRejected) << value;
  }
}

TEST(VllmLatency, Refuses) {
  const auto refused = [](const std::string& text) {
    return refusal([&] { read_vllm_latency(text, "f.json"); }).exit;
  };
  EXPECT_EQ(refused(""), Exit::kData);
  EXPECT_EQ(refused("{}"), Exit::kData);
  EXPECT_EQ(refused("[]"), Exit::kData);
  EXPECT_EQ(refused(R"({"latencies":[0.5,"0.5"]})"), Exit::kData);
  EXPECT_EQ(refused(R"({"latencies":[0.5],"percentiles":[1]})"), Exit::kData);
  EXPECT_EQ(refused(R"({"latencies":[0.5],"percentiles":{"x":1}})"), Exit::kData);
  EXPECT_EQ(refused("{\"latencies\":[0.5]}\n{\"latencies\":[0.5]}"), Exit::kInvalid);
  EXPECT_EQ(refused(R"({"latencies":[0.5],"latencies":[0.4]})"), Exit::kInvalid);
  EXPECT_EQ(refused(latency().dump().substr(0, 100)), Exit::kData);
}

TEST(VllmThroughput, IsOneSampleEach) {
  EXPECT_TRUE(looks_like_vllm_throughput(throughput()));
  EXPECT_FALSE(looks_like_vllm_throughput(latency()));
  const Document document = read_throughput(throughput());
  expect_consistent(document);
  EXPECT_THAT(values_of(records_of(document, "throughput", "request_throughput")), ElementsAre(16));
  // Prompt and output together.
  EXPECT_THAT(values_of(records_of(document, "throughput", "total_token_throughput")),
              ElementsAre(6144));
  EXPECT_EQ(document.records.size(), 2U);
  EXPECT_EQ(document.workload.at("throughput").at("total_num_tokens"), "76800");
}

TEST(VllmThroughput, RefusesAndRejects) {
  const json sample = throughput();
  for (const auto& [key, ignored] : sample.items()) {
    json file = throughput();
    file.erase(key);
    EXPECT_EQ(refusal([&] { read_throughput(file); }).exit, Exit::kData) << key;
    file = throughput();
    file[key] = file[key].get<double>() * 1.1;
    EXPECT_THAT(refusal([&] { read_throughput(file); }).exit,
                testing::AnyOf(Exit::kInvalid, Exit::kData))
        << key;
  }
  for (const double elapsed : {0.0, -1.0}) {
    json file = throughput();
    file["elapsed_time"] = elapsed;
    for (const Record& record : read_throughput(file).records) {
      EXPECT_EQ(record.status, Status::kRejected);
    }
  }
  json empty = throughput();
  empty["num_requests"] = 0;
  empty["requests_per_second"] = 0;
  for (const Record& record : read_throughput(empty).records) {
    EXPECT_EQ(record.status, Status::kFailed);
  }
  EXPECT_EQ(refusal([] { read_vllm_throughput("{}\n{}", "f"); }).exit, Exit::kInvalid);
  EXPECT_EQ(refusal([] { read_vllm_throughput("[1]", "f"); }).exit, Exit::kData);
}

}  // namespace
}  // namespace perfgate::import
