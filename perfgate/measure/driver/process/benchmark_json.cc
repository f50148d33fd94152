// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/benchmark_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/utf8.h"
#include "perfgate/measure/driver/process/json_cleaner.h"

namespace perfgate::measure {
namespace {

using nlohmann::json;

constexpr std::array kStandardFields = {"name",
                                        "run_name",
                                        "run_type",
                                        "family_index",
                                        "repetitions",
                                        "iterations",
                                        "per_family_instance_index",
                                        "real_time",
                                        "cpu_time",
                                        "repetition_index",
                                        "threads",
                                        "time_unit",
                                        "aggregate_name",
                                        "aggregate_unit",
                                        "error_occurred",
                                        "error_message",
                                        "skipped",
                                        "skip_message",
                                        "label",
                                        "cpu_coefficient",
                                        "real_coefficient",
                                        "big_o",
                                        "rms"};

bool is_standard(std::string_view key) {
  return std::find(kStandardFields.begin(), kStandardFields.end(), key) != kStandardFields.end();
}

std::string text_of(const json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool flag_of(const json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_boolean() && found->get<bool>();
}

std::int64_t integer_field(const json& row, const char* key, std::int64_t otherwise) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number_integer()) return otherwise;
  if (found->is_number_unsigned() &&
      found->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return otherwise;
  }
  return found->get<std::int64_t>();
}

int small_integer_of(const json& row, const char* key, int otherwise) {
  const std::int64_t value = integer_field(row, key, otherwise);
  const bool fits = value >= 0 && value <= std::numeric_limits<int>::max();
  return fits ? static_cast<int>(value) : otherwise;
}

double number_in(const json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

double unit_of(const std::string& word) {
  if (word == "ns") return 1e-9;
  if (word == "us") return 1e-6;
  if (word == "ms") return 1e-3;
  if (word == "s") return 1;
  return std::numeric_limits<double>::quiet_NaN();
}

double time_of(const json& row, const char* key, double unit) {
  const auto found = row.find(key);
  return found == row.end() ? std::numeric_limits<double>::quiet_NaN() : number_in(*found) * unit;
}

// The first member of that name, for rows in which it may be repeated: the library writes its own
// fields before the counters.
std::string first_text(const std::string& row, std::string_view key) {
  std::string current, result;
  bool found = false;
  const auto watch = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::key) current = parsed.get<std::string>();
    if (event == json::parse_event_t::value && !found && current == key && parsed.is_string()) {
      result = parsed.get<std::string>();
      found = true;
    }
    return true;
  };
  const json ignored = json::parse(row, watch, /*allow_exceptions=*/false);
  return result;
}

BenchmarkRow read_row(const std::string& text) {
  BenchmarkRow row;
  json fields;
  try {
    fields = parse_strict_json(text, "row");
    if (!fields.is_object()) row.unreadable = "the row is not an object";
  } catch (const Error& error) {
    row.unreadable = error.what();
  }
  if (!row.unreadable.empty()) {
    row.name = first_text(text, "name");
    row.run_name = first_text(text, "run_name");
    if (row.run_name.empty()) row.run_name = row.name;
    row.aggregate = first_text(text, "run_type") == "aggregate";
    return row;
  }
  row.name = text_of(fields, "name");
  row.run_name = fields.contains("run_name") ? text_of(fields, "run_name") : row.name;
  row.family_index = small_integer_of(fields, "family_index", -1);
  row.instance_index = small_integer_of(fields, "per_family_instance_index", -1);
  row.threads = std::max(1, small_integer_of(fields, "threads", 1));
  row.aggregate =
      text_of(fields, "run_type") == "aggregate" || !text_of(fields, "aggregate_name").empty();
  row.error = flag_of(fields, "error_occurred");
  row.skipped = flag_of(fields, "skipped");
  row.message = text_of(fields, row.error ? "error_message" : "skip_message");
  row.iterations = integer_field(fields, "iterations", 0);
  const double unit = unit_of(fields.contains("time_unit") ? text_of(fields, "time_unit") : "ns");
  row.real_s = time_of(fields, "real_time", unit);
  row.cpu_s = time_of(fields, "cpu_time", unit);
  for (const auto& [key, value] : fields.items()) {
    if (!is_standard(key) && (value.is_number() || value.is_null())) {
      row.counters.emplace_back(key, number_in(value));
    }
  }
  return row;
}

// Rows up to where the text ends or makes no sense; true when the array is closed.
bool read_rows(JsonCleaner& cleaner, std::vector<BenchmarkRow>& rows) {
  if (!cleaner.accept('[')) return false;
  for (bool first = true; !cleaner.accept(']'); first = false) {
    if (!first && !cleaner.accept(',')) return false;
    const auto row = cleaner.value();
    if (!row) return false;
    rows.push_back(read_row(*row));
  }
  return true;
}

}  // namespace

BenchmarkFile read_benchmark_json(std::string_view text) {
  BenchmarkFile file;
  JsonCleaner cleaner(text);
  if (!cleaner.accept('{')) return file;
  for (bool first = true; !cleaner.accept('}'); first = false) {
    if (!first && !cleaner.accept(',')) return file;
    const auto key = cleaner.key();
    if (!key || !cleaner.accept(':')) return file;
    if (*key == "benchmarks") {
      if (!read_rows(cleaner, file.rows)) return file;
      continue;
    }
    const auto value = cleaner.value();
    if (!value) return file;
    if (*key == "context") {
      const json context = json::parse(*value, nullptr, /*allow_exceptions=*/false);
      if (context.is_object()) file.library_version = text_of(context, "library_version");
    }
  }
  file.complete = true;
  return file;
}

}  // namespace perfgate::measure
