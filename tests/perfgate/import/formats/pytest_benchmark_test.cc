// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/pytest_benchmark.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;

Document pytest_benchmark_of(const std::string& bytes) {
  return read_pytest_benchmark(bytes, "p.json");
}
Document pytest_benchmark_sample(const std::string& file) {
  return pytest_benchmark_of(sample_bytes("pytest_benchmark/" + file));
}

const std::string kSort = "test_samples.py::test_sort";

TEST(PytestBenchmark, DataAreSecondsPerCall) {
  const Document document = pytest_benchmark_sample("results.json");
  expect_consistent(document);
  EXPECT_EQ(document.version, "3.2.2");
  const auto samples = records_of(document, kSort);
  ASSERT_THAT(samples, SizeIs(8));
  EXPECT_THAT(samples, Each(Field(&Record::iterations, 50)));
  for (const Record& record : samples) EXPECT_LT(record.value, 1e-5);
  const auto bytes = sample_bytes("pytest_benchmark/results.json");
  const nlohmann::json file = nlohmann::json::parse(bytes);
  for (const auto& row : file["benchmarks"]) {
    EXPECT_EQ(values_of(records_of(document, row["fullname"])),
              row["stats"]["data"].get<std::vector<double>>());
  }
}

TEST(PytestBenchmark, WhatRaisedIsNotInTheFile) {
  EXPECT_FALSE(
      pytest_benchmark_sample("results.json").workload.contains("test_samples.py::test_raises"));
}

TEST(PytestBenchmark, SavedWithoutDataIsAggregatesOnly) {
  const Document document = pytest_benchmark_sample("autosaved.json");
  expect_consistent(document);
  EXPECT_THAT(document.records, SizeIs(15));
  EXPECT_THAT(document.records, Each(Field(&Record::kind, RecordKind::kAggregate)));
}

TEST(PytestBenchmark, FingerprintsLeaveOutNameAndMomentOfTheMachine) {
  const Document document = pytest_benchmark_sample("results.json");
  const Fields& workload = document.workload.at("test_samples.py::test_sum[10]");
  EXPECT_EQ(workload.at("params.n"), "10");
  EXPECT_EQ(workload.at("extra_info.dtype"), "int");
  EXPECT_EQ(workload.at("options.timer"), "perf_counter");
  EXPECT_FALSE(workload.contains("options.group"));
  EXPECT_EQ(document.environment.at("machine.python_version"), "3.11.2");
  EXPECT_EQ(document.environment.at("version"), "3.2.2");
  EXPECT_FALSE(document.environment.contains("machine.node"));
  EXPECT_THAT(document.commit, testing::MatchesRegex("[0-9a-f]{40}"));
  const Document other = pytest_benchmark_of(
      R"({"version":"4.0.0","machine_info":{"cpu":{"hz_actual":[1,0],"hz_actual_friendly":"1 Hz",)"
      R"("count":4}},"commit_info":{"id":"abc","dirty":true},"benchmarks":[]})");
  EXPECT_EQ(other.environment, (Fields{{"version", "4.0.0"}, {"machine.cpu.count", "4"}}));
  EXPECT_EQ(other.commit, "abc-dirty");
  EXPECT_THAT(other.warnings, SizeIs(1));
}

TEST(PytestBenchmark, CountsThatDisagreeAreRefused) {
  const auto refused = refusal([&] {
    pytest_benchmark_of(replaced(sample_bytes("pytest_benchmark/results.json"), "\"rounds\": 8,",
                                 "\"rounds\": 9,"));
  });
  EXPECT_EQ(refused.exit, Exit::kInvalid);
  EXPECT_THAT(refused.message, HasSubstr("/stats/rounds: says 9 beside 8 elements of data"));
}

TEST(PytestBenchmark, TimesThatCannotBeAreRejected) {
  for (const std::string value : {"0.0", "-1e-9", "NaN", "Infinity"}) {
    const auto records =
        pytest_benchmark_of(
            R"({"machine_info":{},"benchmarks":[{"fullname":"f","stats":{"data":[)" + value +
            "]}}]}")
            .records;
    ASSERT_THAT(records, SizeIs(1));
    EXPECT_EQ(records[0].status, Status::kRejected) << value;
  }
}

TEST(PytestBenchmark, WrongContentIsNamed) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {R"({"stats":{}})", "/benchmarks/0/fullname"},
      {R"({"fullname":"f"})", "/benchmarks/0/stats"},
      {R"({"fullname":"f","stats":{"iterations":0}})", "/benchmarks/0/stats/iterations"},
      {R"({"fullname":"f","stats":{"data":[null]}})", "/benchmarks/0/stats/data/0"},
      {R"(7)", "/benchmarks/0"}};
  for (const auto& [row, pointer] : rows) {
    const auto refused = refusal([&, text = row] {
      pytest_benchmark_of(R"({"machine_info":{},"benchmarks":[)" + text + "]}");
    });
    EXPECT_EQ(refused.exit, Exit::kData) << row;
    EXPECT_THAT(refused.message, HasSubstr(pointer)) << row;
  }
  const auto twice = refusal([] {
    pytest_benchmark_of(
        R"({"machine_info":{},"benchmarks":[{"fullname":"f","stats":{}},{"fullname":"f","stats":{}}]})");
  });
  EXPECT_EQ(twice.exit, Exit::kInvalid);
}

}  // namespace
}  // namespace perfgate::import
