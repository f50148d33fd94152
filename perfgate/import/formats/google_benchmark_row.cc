// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/google_benchmark_row.h"

#include <algorithm>
#include <array>
#include <optional>

#include "perfgate/import/record_value.h"

namespace perfgate::import {
namespace {

// Fields that the library writes itself, by type. A counter, which is always a number, can take the
// name of one that this row would not have had otherwise.
constexpr std::array<std::string_view, 9> kTexts = {
    "name",           "run_name",      "run_type",     "time_unit", "aggregate_name",
    "aggregate_unit", "error_message", "skip_message", "label"};
constexpr std::array<std::string_view, 2> kFlags = {"error_occurred", "skipped"};
constexpr std::array<std::string_view, 12> kNumbers = {
    "family_index",    "per_family_instance_index",
    "repetitions",     "repetition_index",
    "threads",         "iterations",
    "real_time",       "cpu_time",
    "big_o",           "rms",
    "cpu_coefficient", "real_coefficient"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void refuse_shadowed_fields(const JsonCursor& place) {
  for (const auto& [key, value] : place.json().items()) {
    if (!value.is_number()) continue;
    if (among(kTexts, key) || among(kFlags, key)) {
      place.invalid("\"" + key +
                    "\" is a number: a counter has taken the name of a field. Rename the counter");
    }
  }
}

std::string text_or(const JsonCursor& place, std::string_view key, const std::string& otherwise) {
  const auto value = place.find(key);
  return value ? value->text() : otherwise;
}

bool flag(const JsonCursor& place, std::string_view key) {
  const auto value = place.find(key);
  return value && value->boolean();
}

double seconds_per_unit(const JsonCursor& place) {
  const std::string unit = text_or(place, "time_unit", "ns");
  if (unit == "ns") return 1e-9;
  if (unit == "us") return 1e-6;
  if (unit == "ms") return 1e-3;
  if (unit == "s") return 1;
  place.at("time_unit").refuse(R"("ns", "us", "ms" or "s")");
}

// "BM_x/8/manual_time/threads:4": what is gated of the case.
std::string time_flavour(const std::string& run_name) {
  const auto has = [&](std::string_view part) {
    const std::size_t at = run_name.rfind(part);
    if (at == std::string::npos) return false;
    const std::size_t end = at + part.size();
    return end == run_name.size() || run_name.substr(end, 9) == "/threads:";
  };
  if (has("/manual_time")) return "manual";
  return has("/process_time") ? "process" : "real";
}

// Unit and better direction are known of what the library itself computes. No counter decides by
// itself: rates repeat what the time says, and the rest is the author's to declare.
std::optional<Metric> library_counter(const std::string& name) {
  if (name == "items_per_second") return Metric{name, "1/s", Direction::kHigher, Kind::kRate};
  if (name == "bytes_per_second") return Metric{name, "B/s", Direction::kHigher, Kind::kRate};
  if (name == "allocs_per_iter") return Metric{name, "1", Direction::kLower, Kind::kCount};
  if (name == "max_bytes_used" || name == "total_allocated_bytes" || name == "net_heap_growth") {
    return Metric{name, "B", Direction::kLower, Kind::kCount};
  }
  return std::nullopt;
}

class RowReader {
 public:
  RowReader(const JsonCursor& place, const MetricRegistry& registry, GoogleBenchmarkRow& row)
      : place_(place), registry_(registry), row_(row) {
    base_.case_name = row.run_name;
    base_.row = row.number;
  }

  // True where the row is a failure and its values say nothing.
  bool read_failure() {
    const bool error = flag(place_, "error_occurred");
    const bool skipped = flag(place_, "skipped");
    const std::string message = text_or(place_, error ? "error_message" : "skip_message", "");
    if (error || skipped) {
      Record record = base_;
      fail(record, error ? Status::kFailed : Status::kSkipped, message);
      row_.records.push_back(record);
      return true;
    }
    if (!text_or(place_, "error_message", "").empty()) {
      Record record = base_;
      fail(record, Status::kRejected,
           "the row has an error message and denies the error: \"" +
               text_or(place_, "error_message", "") + "\"");
      row_.records.push_back(record);
      return true;
    }
    return false;
  }

  void read_samples() {
    base_.iterations = place_.at("iterations").integer();
    if (base_.iterations < 1) {
      Record record = base_;
      record.iterations = 1;
      fail(record, Status::kRejected,
           "iterations is " + std::to_string(base_.iterations) + "; a result has at least 1");
      row_.records.push_back(record);
      return;
    }
    const double unit = seconds_per_unit(place_);
    add({"real_time", "s", Direction::kLower, Kind::kTime}, place_.at("real_time").number() * unit);
    // Work that only waits, or runs on a device, may have used no processor time at all.
    const double cpu = place_.at("cpu_time").number() * unit;
    if (cpu != 0) add({"cpu_time", "s", Direction::kLower, Kind::kTime}, cpu, true);
    add_counters();
  }

  // Rows of a fitted complexity have coefficients instead of times and yield nothing.
  void read_aggregate() {
    base_.kind = RecordKind::kAggregate;
    base_.statistic = place_.at("aggregate_name").text();
    if (!place_.has("real_time") || !place_.has("cpu_time")) return;
    const bool share = text_or(place_, "aggregate_unit", "time") == "percentage";
    const double unit = share ? 1 : seconds_per_unit(place_);
    // A spread of 0 is fine, and a coefficient of variation has no unit.
    const bool spread = share || base_.statistic == "stddev";
    const Kind kind = spread ? Kind::kScore : Kind::kTime;
    const std::string unit_name = share ? "1" : "s";
    add({"real_time", unit_name, Direction::kLower, kind}, place_.at("real_time").number() * unit);
    const double cpu = place_.at("cpu_time").number() * unit;
    if (spread || cpu != 0) add({"cpu_time", unit_name, Direction::kLower, kind}, cpu, true);
    if (!spread) add_counters();
  }

 private:
  void add(Metric metric, double value, bool informational = false) {
    Record record = base_;
    record.metric = std::move(metric);
    record.informational = informational;
    set_value(record, value);
    row_.records.push_back(std::move(record));
  }

  void add_counters() {
    for (const auto& [key, value] : place_.json().items()) {
      if (!value.is_number() || among(kNumbers, key)) continue;
      add_counter(key, value.get<double>());
    }
  }

  void add_counter(const std::string& name, double value) {
    const auto declared = registry_.resolve(name);
    Record record = base_;
    if (declared && declared->declared) {
      record.metric = declared->metric;
      value *= declared->scale;
      // "p99_energy" is no sample of the energy.
      if (!declared->statistic.empty()) {
        if (record.kind == RecordKind::kAggregate) return;  // a mean of percentiles
        record.kind = RecordKind::kAggregate;
        record.statistic = declared->statistic;
      }
    } else {
      const auto known = library_counter(name);
      record.metric = known.value_or(Metric{name, "1", Direction::kLower, Kind::kScore});
      record.informational = true;
      record.unknown = !known;
    }
    // A rate of 0 is what the library prints for one that was never set.
    if (record.informational && record.metric.kind == Kind::kRate && value == 0) return;
    set_value(record, value);
    row_.records.push_back(std::move(record));
  }

  const JsonCursor& place_;
  const MetricRegistry& registry_;
  GoogleBenchmarkRow& row_;
  Record base_;
};

}  // namespace

GoogleBenchmarkRow read_google_benchmark_row(const JsonCursor& place, std::size_t number,
                                             const MetricRegistry& registry) {
  place.require_object();
  refuse_shadowed_fields(place);
  GoogleBenchmarkRow row;
  row.number = number;
  const std::string name = place.at("name").text();
  row.run_name = text_or(place, "run_name", name);
  if (row.run_name.empty()) place.refuse("a row with a name");
  const std::string type = text_or(place, "run_type", "iteration");
  if (type != "iteration" && type != "aggregate") {
    place.at("run_type").refuse(R"("iteration" or "aggregate")");
  }
  row.aggregate = type == "aggregate";
  if (!row.aggregate && place.has("aggregate_name")) {
    place.invalid("an aggregate (\"" + place.at("aggregate_name").text() +
                  "\") that calls itself an iteration; aggregates are not samples");
  }
  if (const auto threads = place.find("threads")) {
    const std::int64_t count = threads->integer();
    if (count < 1 || count > 1 << 20) threads->refuse("a number of threads");
    row.threads = static_cast<int>(count);
  }
  if (const auto repetitions = place.find("repetitions")) {
    row.repetitions = repetitions->integer();
  }
  if (const auto index = place.find("repetition_index"); index && !row.aggregate) {
    row.repetition_index = index->integer();
    if (row.repetition_index < 0) index->refuse("an index of at least 0");
  }
  row.workload["threads"] = std::to_string(row.threads);
  row.workload["time"] = time_flavour(row.run_name);

  RowReader reader(place, registry, row);
  if (row.aggregate) {
    reader.read_aggregate();
    return row;
  }
  const std::string label = text_or(place, "label", "");
  const bool failed = reader.read_failure();
  // A benchmark that fails has often not come to set its label.
  if (!failed && !label.empty()) row.workload["label"] = label;
  if (!failed) reader.read_samples();
  return row;
}

}  // namespace perfgate::import
