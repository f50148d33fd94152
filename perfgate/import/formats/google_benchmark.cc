// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/google_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/import/formats/google_benchmark_row.h"
#include "perfgate/import/record_value.h"

namespace perfgate::import {
namespace {

// "v1.9.4-12-gabc" -> 1009; 0 where the text is no version. The file names its version from 1.8.4
// on, so no version is an older one.
int minor_version(std::string_view text) {
  if (text.starts_with("v")) text.remove_prefix(1);
  int part[2] = {0, 0};
  for (int& number : part) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number > 999) return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(".")) text.remove_prefix(1);
  }
  return part[0] * 1000 + part[1];
}

int patch_version(std::string_view text) {
  for (int dots = 0; dots < 2; ++dots) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return 0;
    text.remove_prefix(dot + 1);
  }
  int patch = 0;
  std::from_chars(text.data(), text.data() + text.size(), patch);
  return patch;
}

// What the times and rates of threaded rows mean changed twice.
struct ThreadMeaning {
  std::string time = "wall_over_all_iterations";
  std::string rates = "total";
};

ThreadMeaning thread_meaning(const std::string& version) {
  ThreadMeaning meaning;
  if (version.empty()) return meaning;
  const int minor = minor_version(version);
  if (minor == 0) return {"unknown_version " + version, "unknown_version " + version};
  if (minor >= 1009) meaning.time = "wall_per_thread";
  if (minor == 1009 && patch_version(version) < 5) meaning.rates = "per_thread";
  return meaning;
}

constexpr std::array<std::string_view, 4> kNotEnvironment = {"load_avg", "host_name", "date",
                                                             "executable"};

void read_context(const JsonCursor& context, Document& document) {
  context.require_object();
  for (const auto& [key, value] : context.json().items()) {
    if (std::find(kNotEnvironment.begin(), kNotEnvironment.end(), key) == kNotEnvironment.end()) {
      add_fields(document.environment, "context." + key, value);
    }
  }
  if (const auto version = context.find("library_version")) document.version = version->text();
  if (const auto date = context.find("date")) document.recorded = date->text();
  if (const auto build = context.find("library_build_type"); build && build->text() == "debug") {
    document.warnings.push_back(document.name +
                                ": the benchmark library was built for debugging; its overhead is "
                                "in every time");
  }
}

// The rows of one case, for what only shows over all of them.
struct CaseRows {
  std::set<std::int64_t> repetitions;
  std::set<std::string> aggregates;
  std::int64_t declared = 0;
  std::size_t last_row = 0;
};

void check_row(const JsonCursor& place, const GoogleBenchmarkRow& row, CaseRows& seen) {
  if (row.aggregate && !row.records.empty() &&
      !seen.aggregates.insert(row.records.front().statistic).second) {
    place.invalid("\"" + row.run_name + "\" has its " + row.records.front().statistic + " twice");
  }
  if (row.repetition_index < 0) return;
  if (!seen.repetitions.insert(row.repetition_index).second) {
    place.invalid("\"" + row.run_name + "\", repetition " + std::to_string(row.repetition_index) +
                  ", stands in the file twice; two results cannot be the same one. Give "
                  "benchmarks different names, and keep files as they were written");
  }
  seen.declared = std::max(seen.declared, row.repetitions);
  seen.last_row = row.number;
}

void add_missing_repetitions(const std::map<std::string, CaseRows>& cases, Document& document) {
  for (const auto& [name, seen] : cases) {
    const auto found = static_cast<std::int64_t>(seen.repetitions.size());
    if (found == 0 || found >= seen.declared) continue;
    Record record;
    record.case_name = name;
    record.row = seen.last_row;
    fail(record, Status::kRejected,
         "the file has " + std::to_string(found) + " of " + std::to_string(seen.declared) +
             " repetitions; rows were removed");
    document.records.push_back(record);
  }
}

}  // namespace

bool looks_like_google_benchmark(const nlohmann::json& document) {
  if (!document.is_object()) return false;
  const auto context = document.find("context");
  const auto rows = document.find("benchmarks");
  return context != document.end() && context->is_object() && rows != document.end() &&
         rows->is_array();
}

Document read_google_benchmark(std::string_view bytes, const std::string& name,
                               const MetricRegistry& registry) {
  Document document = new_document("google_benchmark", name, bytes);
  const nlohmann::json json = parse_strict_json(bytes, name, NonFinite::kKeep);
  const JsonCursor root(json, name);
  read_context(root.at("context"), document);
  const ThreadMeaning meaning = thread_meaning(document.version);
  const JsonCursor rows = root.at("benchmarks");
  std::map<std::string, CaseRows> cases;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JsonCursor place = rows[i];
    const GoogleBenchmarkRow row = read_google_benchmark_row(place, i + 1, registry);
    check_row(place, row, cases[row.run_name]);
    document.records.insert(document.records.end(), row.records.begin(), row.records.end());
    if (row.records.empty()) continue;  // a fitted complexity
    Fields& workload = document.workload[row.run_name];
    for (const auto& [key, value] : row.workload) {
      const auto [entry, added] = workload.emplace(key, value);
      if (added || entry->second == value) continue;
      if (key == "label") {  // free text, which may tell of the repetition
        entry->second = "varies";
      } else {
        place.invalid(fmt::format(
            R"("{}" has {} "{}" here and "{}" in another row; one name is one benchmark)",
            row.run_name, key, value, entry->second));
      }
    }
    if (row.threads > 1) {
      workload["thread_time"] = meaning.time;
      workload["thread_rates"] = meaning.rates;
    }
  }
  add_missing_repetitions(cases, document);
  return document;
}

}  // namespace perfgate::import
