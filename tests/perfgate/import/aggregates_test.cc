// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/aggregates.h"

#include <gmock/gmock.h>

#include <random>

#include "perfgate/import/detect.h"
#include "perfgate/import/record_value.h"
#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using testing::HasSubstr;

Record record_of(double value) {
  Record record;
  record.case_name = "a";
  set_value(record, value);
  return record;
}

Record aggregate(const std::string& statistic, double value) {
  Record record = record_of(value);
  record.kind = RecordKind::kAggregate;
  record.statistic = statistic;
  record.row = 9;
  return record;
}

Document aggregates_document(std::vector<Record> records) {
  Document document;
  document.name = "f.json";
  document.records = std::move(records);
  return document;
}

Exit check(std::vector<Record> records) {
  return refusal([&] { check_aggregates(aggregates_document(std::move(records))); }).exit;
}

TEST(Aggregates, WhatToolsWroteHolds) {
  for (const char* file :
       {"google_benchmark/v1.7.1_repetitions.json", "google_benchmark/v1.8.3_repetitions.json",
        "google_benchmark/v1.9.0_repetitions.json", "google_benchmark/v1.9.5_repetitions.json",
        "hyperfine/plain.json", "hyperfine/parameters.json", "hyperfine/failures.json",
        "hyperfine/clamped.json", "pytest_benchmark/results.json", "criterion/first"}) {
    const Document document = read_foreign(sample_path(file));
    const auto is_checked = [](const Record& record) {
      return record.kind == RecordKind::kAggregate && record.statistic == "mean";
    };
    EXPECT_TRUE(std::any_of(document.records.begin(), document.records.end(), is_checked)) << file;
    EXPECT_NO_THROW(check_aggregates(document)) << file;
  }
}

// Any figure of a real file, changed by one in the fifth digit.
TEST(Aggregates, EveryChangedFigureIsSeen) {
  for (const char* file : {"google_benchmark/v1.7.1_repetitions.json", "hyperfine/plain.json",
                           "pytest_benchmark/results.json", "criterion/first"}) {
    const Document original = read_foreign(sample_path(file));
    int changed = 0;
    for (std::size_t i = 0; i < original.records.size(); ++i) {
      const Record& record = original.records[i];
      const bool checked = record.statistic == "mean" || record.statistic == "median";
      const auto beside = records_of(original, record.case_name, record.metric.name);
      const auto all = records_of(original, record.case_name);
      const bool whole = std::all_of(all.begin(), all.end(), [](const Record& other) {
        return other.status == Status::kOk || other.informational;
      });
      if (!checked || record.status != Status::kOk || beside.empty() || !whole) continue;
      Document document = original;
      document.records[i].value *= 1.00001;
      const auto refused = refusal([&] { check_aggregates(document); });
      EXPECT_EQ(refused.exit, Exit::kInvalid) << file << " " << i;
      EXPECT_THAT(refused.message, HasSubstr("row " + std::to_string(record.row)));
      ++changed;
    }
    EXPECT_GT(changed, 3) << file;
  }
}

TEST(Aggregates, EachStatisticIsRecomputed) {
  const std::vector<Record> samples = {record_of(4), record_of(1), record_of(2), record_of(9)};
  const std::vector<std::pair<std::string, double>> right = {
      {"mean", 4}, {"median", 3}, {"min", 1}, {"max", 9}};
  for (const auto& [statistic, value] : right) {
    auto records = samples;
    records.push_back(aggregate(statistic, value));
    EXPECT_EQ(check(records), Exit::kPass) << statistic;
    records.back().value = 3.5;
    EXPECT_EQ(check(records), Exit::kInvalid) << statistic;
  }
  auto odd = samples;
  odd.push_back(record_of(5));
  odd.push_back(aggregate("median", 4));
  EXPECT_EQ(check(odd), Exit::kPass);
}

TEST(Aggregates, OtherCasesMetricsRoundsAndSpreadsAreNotCompared) {
  std::vector<Record> records = {record_of(1), aggregate("mean", 7), aggregate("stddev", 7)};
  records[1].case_name = "b";
  EXPECT_EQ(check(records), Exit::kPass);
  records[1].case_name = "a";
  records[1].metric.name = "cpu_time";
  EXPECT_EQ(check(records), Exit::kPass);
  records[1].metric.name = "real_time";
  records[1].round = 1;
  EXPECT_EQ(check(records), Exit::kPass);
  records[1].round = 0;
  EXPECT_EQ(check(records), Exit::kInvalid);
}

TEST(Aggregates, CasesWithFailuresAreLeftOut) {
  std::vector<Record> records = {record_of(1), record_of(1), aggregate("mean", 7)};
  fail(records[0], Status::kFailed, "boom");
  EXPECT_EQ(check(records), Exit::kPass);
  // A side counter that is no number is no failure of the case.
  fail(records[0], Status::kRejected, "side is NaN");
  records[0].informational = true;
  records[0].metric.name = "side";
  EXPECT_EQ(check(records), Exit::kInvalid);
}

TEST(Aggregates, RoundingIsNoDifference) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> time(1e-9, 1e-3);
  for (int i = 0; i < 200; ++i) {
    std::vector<Record> records;
    double sum = 0;
    for (int n = 0; n < 50; ++n) {
      records.push_back(record_of(time(random)));
      sum += records.back().value;
    }
    char printed[32];
    std::snprintf(printed, sizeof printed, "%.7g", sum / 50);
    records.push_back(aggregate("mean", std::stod(printed)));
    EXPECT_EQ(check(records), Exit::kPass) << printed;
  }
}

TEST(Aggregates, OnlyLocationsStandForAMetric) {
  for (const char* statistic : {"mean", "median", "p99", "p99.9"}) {
    EXPECT_TRUE(is_location(aggregate(statistic, 1))) << statistic;
  }
  for (const char* statistic : {"stddev", "cv", "min", "max", "BigO", "RMS", "p", "pct", "iqr"}) {
    EXPECT_FALSE(is_location(aggregate(statistic, 1))) << statistic;
  }
}

}  // namespace
}  // namespace perfgate::import
