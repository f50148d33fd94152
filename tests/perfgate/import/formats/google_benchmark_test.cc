// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/google_benchmark.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Document google_benchmark_of(const std::string& bytes) {
  return read_google_benchmark(bytes, "r.json");
}

Document google_benchmark_sample(const std::string& file) {
  return google_benchmark_of(sample_bytes("google_benchmark/" + file));
}

// A file of one row with these members after its name.
std::string one_row(const std::string& members, const std::string& context = "") {
  return R"({"context":{)" + context + R"(},"benchmarks":[{"name":"a","run_name":"a",)" + members +
         "}]}";
}

const std::string kTimes = R"("iterations":10,"real_time":2.0,"cpu_time":1.0,"time_unit":"us")";

TEST(GoogleBenchmark, ReadsRepetitionsAsSamplesOfOneRound) {
  const Document document = google_benchmark_sample("v1.7.1_repetitions.json");
  expect_consistent(document);
  EXPECT_EQ(document.format, "google_benchmark");
  EXPECT_EQ(document.version, "");  // not in files before 1.8.4
  EXPECT_THAT(document.digest, testing::MatchesRegex("sha256:[0-9a-f]{64}"));
  const auto samples = records_of(document, "sum/64", "real_time");
  ASSERT_THAT(samples, SizeIs(3));
  for (const Record& record : samples) {
    EXPECT_EQ(record.round, 0);
    EXPECT_EQ(record.order, -1);
    EXPECT_GT(record.iterations, 1000);
    EXPECT_EQ(record.metric, Metric{});
    EXPECT_GT(record.value, 1e-9);  // nanoseconds became seconds
    EXPECT_LT(record.value, 1e-6);
  }
  EXPECT_THAT(records_of(document, "sum/64", "bytes_per_second"), SizeIs(3));
  EXPECT_EQ(document.workload.at("sum/64").at("label"), "ints");
  EXPECT_EQ(document.workload.at("threaded/real_time/threads:2").at("threads"), "2");
  EXPECT_EQ(document.workload.at("manual/iterations:20/manual_time").at("time"), "manual");
}

TEST(GoogleBenchmark, ContextIsTheEnvironmentLessWhatNamesMachineAndMoment) {
  const Document document = google_benchmark_sample("v1.9.5_repetitions.json");
  EXPECT_EQ(document.version, "v1.9.5");
  EXPECT_EQ(document.recorded.substr(0, 3), "202");
  const Fields& environment = document.environment;
  EXPECT_EQ(environment.at("context.num_cpus"), "4");
  EXPECT_EQ(environment.at("context.aslr_enabled"), "false");
  EXPECT_THAT(environment.at("context.caches"), HasSubstr("Unified"));
  for (const char* field : {"load_avg", "host_name", "date", "executable"}) {
    EXPECT_FALSE(environment.contains(std::string("context.") + field)) << field;
  }
  EXPECT_EQ(google_benchmark_sample("v1.7.1_repetitions.json").environment.at("context.run"),
            "a1b2");
}

TEST(GoogleBenchmark, DebugLibraryIsWarnedOf) {
  EXPECT_THAT(google_benchmark_sample("v1.7.1_single.json").warnings,
              testing::ElementsAre(HasSubstr("built for debugging")));
  EXPECT_THAT(google_benchmark_sample("v1.9.5_repetitions.json").warnings, IsEmpty());
}

TEST(GoogleBenchmark, AggregatesAreMarked) {
  const Document document = google_benchmark_sample("v1.7.1_aggregates_only.json");
  expect_consistent(document);
  std::set<std::string> statistics;
  for (const Record& record : document.records) {
    EXPECT_EQ(record.kind, RecordKind::kAggregate);
    statistics.insert(record.statistic);
  }
  EXPECT_EQ(statistics, (std::set<std::string>{"mean", "median", "stddev", "cv"}));
}

// A coefficient of variation is a fraction although its row says "ns".
TEST(GoogleBenchmark, CoefficientOfVariationIsNoTime) {
  const Document document = google_benchmark_sample("v1.7.1_aggregates_only.json");
  int found = 0;
  for (const Record& record : document.records) {
    if (record.statistic != "cv") continue;
    EXPECT_EQ(record.metric.unit, "1");
    EXPECT_EQ(record.metric.kind, Kind::kScore);
    ++found;
  }
  EXPECT_GT(found, 0);
  const std::string row =
      R"({"name":"a_cv","run_name":"a","run_type":"aggregate","aggregate_name":"cv",)"
      R"("aggregate_unit":"percentage","real_time":0.25,"cpu_time":0.5,"time_unit":"ns"})";
  const auto records = google_benchmark_of(R"({"context":{},"benchmarks":[)" + row + "]}").records;
  EXPECT_EQ(records.at(0).value, 0.25);
}

TEST(GoogleBenchmark, FittedComplexityYieldsNothing) {
  const Document document = google_benchmark_sample("v1.7.1_repetitions.json");
  EXPECT_THAT(records_of(document, "grows", "", RecordKind::kAggregate), IsEmpty());
  EXPECT_FALSE(document.workload.contains("grows"));
  EXPECT_THAT(records_of(document, "grows/64", "real_time"), SizeIs(3));
}

TEST(GoogleBenchmark, FailuresComeBeforeValues) {
  for (const char* file : {"v1.7.1_repetitions.json", "v1.9.5_repetitions.json"}) {
    const auto rows = records_of(google_benchmark_sample(file), "fails");
    ASSERT_FALSE(rows.empty());
    EXPECT_THAT(rows, Each(testing::Field(&Record::status, Status::kFailed)));
    EXPECT_THAT(rows, Each(testing::Field(&Record::detail, "no such \"device\"")));
  }
  const auto later = records_of(google_benchmark_sample("v1.7.1_repetitions.json"),
                                "fails_later/iterations:10", "real_time");
  ASSERT_THAT(later, SizeIs(3));
  EXPECT_EQ(later[0].status, Status::kOk);
  EXPECT_EQ(later[1].status, Status::kFailed);
  EXPECT_EQ(later[2].status, Status::kOk);
  // Whatever its times say.
  const auto forged =
      google_benchmark_of(one_row(R"("error_occurred":true,"error_message":"boom",)" + kTimes))
          .records;
  ASSERT_THAT(forged, SizeIs(1));
  EXPECT_EQ(forged[0].status, Status::kFailed);
}

TEST(GoogleBenchmark, SkippedIsNotFailed) {
  const auto rows = records_of(google_benchmark_sample("v1.9.5_repetitions.json"), "skips");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].status, Status::kSkipped);
  EXPECT_EQ(rows[0].detail, "needs a device");
}

// The row of an error whose flag was taken out.
TEST(GoogleBenchmark, ZeroTimesAreRejected) {
  const std::string sample = sample_bytes("google_benchmark/v1.7.1_repetitions.json");
  const Document quiet =
      google_benchmark_of(replaced(sample,
                                   "\"error_occurred\": true,\n      \"error_message\": \"no such "
                                   "\\\"device\\\"\",\n",
                                   ""));
  const auto rows = records_of(quiet, "fails", "real_time");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_EQ(rows[0].status, Status::kRejected);
  EXPECT_EQ(rows[0].detail, "real_time is 0; a time is above 0");
  EXPECT_EQ(rows[1].status, Status::kFailed);
}

TEST(GoogleBenchmark, DeniedErrorIsRejected) {
  const auto records =
      google_benchmark_of(one_row(R"("error_occurred":false,"error_message":"boom",)" + kTimes))
          .records;
  ASSERT_THAT(records, SizeIs(1));
  EXPECT_EQ(records[0].status, Status::kRejected);
  EXPECT_THAT(records[0].detail, HasSubstr("boom"));
}

TEST(GoogleBenchmark, TimesThatCannotBeAreRejected) {
  for (const std::string value : {"0", "-1.0", "NaN", "Infinity", "-Infinity", "0e0", "-0.0"}) {
    const auto records =
        google_benchmark_of(one_row(R"("iterations":10,"real_time":)" + value + R"(,"cpu_time":1)"))
            .records;
    ASSERT_FALSE(records.empty());
    EXPECT_EQ(records[0].metric.name, "real_time");
    EXPECT_EQ(records[0].status, Status::kRejected) << value;
  }
  EXPECT_EQ(google_benchmark_of(one_row(R"("iterations":0,"real_time":1,"cpu_time":1)"))
                .records.at(0)
                .status,
            Status::kRejected);
}

// Only the counter suffers; its row's times are as good as any.
TEST(GoogleBenchmark, CounterThatIsNoNumberIsRejectedAlone) {
  const Document document = google_benchmark_sample("v1.7.1_repetitions.json");
  EXPECT_THAT(records_of(document, "not_a_number", "real_time"),
              Each(testing::Field(&Record::status, Status::kOk)));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"residual", "residual is NaN"},
      {"ratio", "ratio is infinite"},
      {"loss", "loss is infinite"}};
  for (const auto& [counter, reason] : expected) {
    const auto records = records_of(document, "not_a_number", counter);
    ASSERT_THAT(records, SizeIs(3));
    EXPECT_THAT(records, Each(testing::Field(&Record::status, Status::kRejected)));
    EXPECT_EQ(records[0].detail, reason);
    EXPECT_TRUE(records[0].informational);
    EXPECT_GT(records[0].row, 0U);
  }
}

TEST(GoogleBenchmark, CountersThatTakeTheNameOfAFieldAreRefused) {
  // The library writes its own fields first, so a reader that keeps the last one is fooled.
  for (const std::string field : {"real_time", "cpu_time", "iterations", "name", "run_name"}) {
    const auto refused =
        refusal([&] { google_benchmark_of(one_row(kTimes + ",\"" + field + "\":1.0e-3")); });
    EXPECT_EQ(refused.exit, Exit::kInvalid) << field;
    EXPECT_THAT(refused.message, HasSubstr("r.json:1:"));
    EXPECT_THAT(refused.message, HasSubstr("/benchmarks/0: the key \"" + field + "\" appears"));
  }
  // These would not have been in the row otherwise.
  for (const std::string field : {"error_occurred", "skipped", "label", "aggregate_name",
                                  "error_message", "skip_message", "run_type"}) {
    const auto refused =
        refusal([&] { google_benchmark_of(one_row(kTimes + ",\"" + field + "\":1.0")); });
    EXPECT_EQ(refused.exit, Exit::kInvalid) << field;
    EXPECT_THAT(refused.message, HasSubstr("a counter has taken the name of a field"));
  }
}

TEST(GoogleBenchmark, AggregateThatPosesAsSampleIsRefused) {
  const std::string sample = sample_bytes("google_benchmark/v1.7.1_aggregates_only.json");
  const auto refused = refusal([&] {
    google_benchmark_of(
        replaced(sample, R"("run_type": "aggregate")", R"("run_type": "iteration")"));
  });
  EXPECT_EQ(refused.exit, Exit::kInvalid);
  EXPECT_THAT(refused.message, HasSubstr("/benchmarks/0"));
}

TEST(GoogleBenchmark, RemovedAndRepeatedRowsAreSeen) {
  const auto row = [](int index, int of) {
    return R"({"name":"a","run_name":"a","run_type":"iteration","repetitions":)" +
           std::to_string(of) + R"(,"repetition_index":)" + std::to_string(index) + "," + kTimes +
           "}";
  };
  const auto file = [](const std::string& rows) {
    return R"({"context":{},"benchmarks":[)" + rows + "]}";
  };
  EXPECT_THAT(records_of(google_benchmark_of(file(row(0, 2) + "," + row(1, 2))), "a", "real_time"),
              SizeIs(2));
  const auto cut =
      records_of(google_benchmark_of(file(row(0, 3) + "," + row(2, 3))), "a", "real_time");
  ASSERT_THAT(cut, SizeIs(3));
  EXPECT_EQ(cut[2].status, Status::kRejected);
  EXPECT_THAT(cut[2].detail, HasSubstr("2 of 3 repetitions"));
  const auto refused = refusal([&] { google_benchmark_of(file(row(1, 2) + "," + row(1, 2))); });
  EXPECT_EQ(refused.exit, Exit::kInvalid);
  EXPECT_THAT(refused.message, HasSubstr("/benchmarks/1"));
  EXPECT_THAT(refused.message, HasSubstr("stands in the file twice"));
}

TEST(GoogleBenchmark, RepeatedAggregatesAreSeen) {
  const std::string mean = R"({"name":"a_mean","run_name":"a","run_type":"aggregate",)"
                           R"("aggregate_name":"mean","real_time":1,"cpu_time":1})";
  const auto refused = refusal(
      [&] { google_benchmark_of(R"({"context":{},"benchmarks":[)" + mean + "," + mean + "]}"); });
  EXPECT_EQ(refused.exit, Exit::kInvalid);
  EXPECT_THAT(refused.message, HasSubstr("/benchmarks/1: \"a\" has its mean twice"));
}

TEST(GoogleBenchmark, TimeUnits) {
  const std::vector<std::pair<std::string, double>> units = {
      {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  for (const auto& [unit, seconds] : units) {
    const auto records =
        google_benchmark_of(
            one_row(R"("iterations":1,"real_time":3,"cpu_time":2,"time_unit":")" + unit + "\""))
            .records;
    EXPECT_DOUBLE_EQ(records.at(0).value, 3 * seconds);
    EXPECT_DOUBLE_EQ(records.at(1).value, 2 * seconds);
    EXPECT_TRUE(records.at(1).informational);
  }
  const auto refused = refusal([&] {
    google_benchmark_of(one_row(R"("iterations":1,"real_time":3,"cpu_time":2,"time_unit":"min")"));
  });
  EXPECT_EQ(refused.exit, Exit::kData);
  EXPECT_THAT(refused.message, HasSubstr("/benchmarks/0/time_unit"));
}

// The meaning of threaded times changed at 1.9.0, that of rates at 1.9.0 and 1.9.5: files from both
// sides must not look comparable.
TEST(GoogleBenchmark, ThreadedRowsCarryTheMeaningOfTheirVersion) {
  const auto meaning = [](const std::string& context) {
    const Document document = google_benchmark_of(one_row(R"("threads":4,)" + kTimes, context));
    const Fields& workload = document.workload.at("a");
    return workload.at("thread_time") + " " + workload.at("thread_rates");
  };
  const std::string old_meaning = "wall_over_all_iterations total";
  EXPECT_EQ(meaning(""), old_meaning);
  EXPECT_EQ(meaning(R"("library_version":"v1.8.5")"), old_meaning);
  EXPECT_EQ(meaning(R"("library_version":"v1.9.0")"), "wall_per_thread per_thread");
  EXPECT_EQ(meaning(R"("library_version":"v1.9.4-7-g0123456")"), "wall_per_thread per_thread");
  EXPECT_EQ(meaning(R"("library_version":"v1.9.5")"), "wall_per_thread total");
  EXPECT_THAT(meaning(R"("library_version":"main")"), HasSubstr("unknown_version main"));
  const Document alone = google_benchmark_of(one_row(R"("threads":1,)" + kTimes));
  EXPECT_FALSE(alone.workload.at("a").contains("thread_time"));
  for (const char* file : {"v1.8.3_repetitions.json", "v1.9.0_repetitions.json"}) {
    EXPECT_TRUE(google_benchmark_sample(file)
                    .workload.at("threaded/real_time/threads:2")
                    .contains("thread_time"));
  }
}

TEST(GoogleBenchmark, EmptyAndCutFilesAreNotRead) {
  const std::string whole = sample_bytes("google_benchmark/v1.7.1_single.json");
  EXPECT_EQ(sample_bytes("google_benchmark/v1.7.1_filter_matches_nothing.json"), "");
  EXPECT_EQ(refusal([&] { google_benchmark_of(""); }).exit, Exit::kData);
  std::size_t end = whole.size();
  while (whole[end - 1] != '}') --end;
  for (std::size_t size = 1; size < end; size += 7) {
    EXPECT_EQ(refusal([&] { google_benchmark_of(whole.substr(0, size)); }).exit, Exit::kData)
        << size;
  }
  EXPECT_EQ(refusal([&] { google_benchmark_of(whole + "x"); }).exit, Exit::kData);
  EXPECT_EQ(refusal([&] { google_benchmark_of(whole + whole); }).exit, Exit::kData);
}

TEST(GoogleBenchmark, WrongTypesAreNamed) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {R"("iterations":"10","real_time":1,"cpu_time":1)", "/benchmarks/0/iterations"},
      {R"("iterations":1.5,"real_time":1,"cpu_time":1)", "/benchmarks/0/iterations"},
      {R"("iterations":1,"real_time":"1","cpu_time":1)", "/benchmarks/0/real_time"},
      {R"("iterations":1,"real_time":null,"cpu_time":1)", "/benchmarks/0/real_time"},
      {R"("iterations":1,"cpu_time":1)", "/benchmarks/0/real_time"},
      {R"("run_type":"warmup",)" + kTimes, "/benchmarks/0/run_type"},
      {R"("threads":0,)" + kTimes, "/benchmarks/0/threads"}};
  for (const auto& [members, pointer] : rows) {
    const auto refused = refusal([&, text = members] { google_benchmark_of(one_row(text)); });
    EXPECT_EQ(refused.exit, Exit::kData) << members;
    EXPECT_THAT(refused.message, HasSubstr(pointer)) << members;
  }
}

}  // namespace
}  // namespace perfgate::import
