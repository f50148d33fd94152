// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/criterion.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "perfgate/base/io/atomic_file.h"
#include "tests/perfgate/evidence/temporary_folder.h"
#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kIdentity = R"({"group_id":"g","full_id":"g/f","throughput":null})";

Document criterion_of(const std::string& sample, const std::string& benchmark = kIdentity) {
  return read_criterion_benchmark({.sample = sample, .benchmark = benchmark, .estimates = ""},
                                  "g/new");
}

TEST(Criterion, TotalNanosecondsBecomeSecondsPerIteration) {
  const Document document =
      criterion_of(R"({"sampling_mode":"Linear","iters":[10.0,20.0],"times":[50.0,80.0]})");
  expect_consistent(document);
  const auto samples = records_of(document, "g/f");
  ASSERT_THAT(samples, SizeIs(2));
  EXPECT_DOUBLE_EQ(samples[0].value, 5e-9);
  EXPECT_DOUBLE_EQ(samples[1].value, 4e-9);
  EXPECT_EQ(samples[1].iterations, 20);
  EXPECT_EQ(samples[1].order, 1);
  EXPECT_EQ(document.workload.at("g/f").at("sampling_mode"), "Linear");
  EXPECT_FALSE(document.workload.at("g/f").contains("throughput"));
}

TEST(Criterion, AFolderIsOneRoundOfEverythingNew) {
  const Document document = read_criterion(sample_path("criterion/first"));
  expect_consistent(document);
  EXPECT_THAT(document.workload, SizeIs(2));  // `base` is what was before
  EXPECT_EQ(document.workload.at("parse").at("throughput.Bytes"), "4096");
  EXPECT_THAT(records_of(document, "sort/quick/1000"), SizeIs(10));
  EXPECT_THAT(document.records, Each(Field(&Record::round, 0)));
  EXPECT_NE(document.digest, read_criterion(sample_path("criterion/second")).digest);
}

TEST(Criterion, AnyOfItsFilesOrItsFolderNamesABenchmark) {
  const std::string folder = sample_path("criterion/first/sort/quick/1000/base");
  const Document document = read_criterion(folder);
  EXPECT_THAT(document.workload, SizeIs(1));
  for (const char* file : {"sample.json", "benchmark.json", "estimates.json"}) {
    EXPECT_EQ(read_criterion(folder + "/" + file).digest, document.digest) << file;
  }
}

TEST(Criterion, EstimatesAreAggregates) {
  const Document document = read_criterion(sample_path("criterion/first"));
  const auto aggregates = records_of(document, "parse", "real_time", RecordKind::kAggregate);
  ASSERT_THAT(aggregates, SizeIs(3));
  EXPECT_EQ(aggregates[0].statistic, "mean");
  EXPECT_NEAR(aggregates[0].value, 1.5e-6, 0.1e-6);
}

TEST(Criterion, TimesThatCannotBeAreRejected) {
  for (const std::string value : {"0.0", "-5.0", "NaN", "Infinity"}) {
    const auto records = criterion_of(R"({"iters":[10.0],"times":[)" + value + "]}").records;
    ASSERT_THAT(records, SizeIs(1));
    EXPECT_EQ(records[0].status, Status::kRejected) << value;
  }
}

TEST(Criterion, CountsThatCannotBeAreRefused) {
  for (const std::string count : {"0.0", "-1.0", "0.5", "NaN", "Infinity", "1e300", "\"1\""}) {
    const auto refused =
        refusal([&] { criterion_of(R"({"iters":[)" + count + R"(],"times":[1.0]})"); });
    EXPECT_EQ(refused.exit, Exit::kData) << count;
    EXPECT_THAT(refused.message, HasSubstr("g/new/sample.json: /iters/0: ")) << count;
  }
  const auto refused = refusal([&] { criterion_of(R"({"iters":[1.0,2.0],"times":[1.0]})"); });
  EXPECT_EQ(refused.exit, Exit::kInvalid);
}

TEST(Criterion, WhatIsMissingIsNamed) {
  const sample::TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { read_criterion(folder / "."); }).message,
              HasSubstr("no benchmark of criterion here"));
  std::filesystem::create_directories(folder / "g/new");
  write_file_atomically(folder / "g/new/sample.json", R"({"iters":[1.0],"times":[2.0]})");
  const auto refused = refusal([&] { read_criterion(folder / "."); });
  EXPECT_EQ(refused.exit, Exit::kData);
  EXPECT_THAT(refused.message, HasSubstr("benchmark.json: is missing"));
  write_file_atomically(folder / "g/new/benchmark.json", kIdentity);
  EXPECT_THAT(read_criterion(folder / ".").records, SizeIs(1));
  // Folder names may be cut, so two folders may claim one id only by mistake.
  std::filesystem::create_directories(folder / "h/new");
  write_file_atomically(folder / "h/new/sample.json", R"({"iters":[1.0],"times":[3.0]})");
  write_file_atomically(folder / "h/new/benchmark.json", kIdentity);
  EXPECT_EQ(refusal([&] { read_criterion(folder / "."); }).exit, Exit::kInvalid);
  EXPECT_EQ(refusal([] { criterion_of("{}"); }).exit, Exit::kData);
  EXPECT_EQ(refusal([] { criterion_of(R"({"iters":[1.0],"times":[2.0]})", "{}"); }).exit,
            Exit::kData);
}

}  // namespace
}  // namespace perfgate::import
