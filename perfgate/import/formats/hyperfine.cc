// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/hyperfine.h"

#include <set>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/join.h"
#include "perfgate/import/record_value.h"

namespace perfgate::import {
namespace {

Metric wall_time() { return {"wall_time", "s", Direction::kLower, Kind::kTime}; }
Metric peak_memory() { return {"peak_memory", "B", Direction::kLower, Kind::kCount}; }

// "sort {n=1000,order=random}": the command, and the parameters that made it.
std::string command_case(const JsonCursor& result, Fields& workload) {
  std::string name = result.at("command").text();
  if (name.empty()) result.at("command").refuse("a command");
  workload["command"] = name;
  const auto parameters = result.find("parameters");
  if (!parameters || parameters->json().empty()) return name;
  parameters->require_object();
  std::string list;
  for (const auto& [key, value] : parameters->json().items()) {
    add_fields(workload, "parameter." + key, value);
    AppendItem(list, key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()),
               ",");
  }
  return name + " {" + list + "}";
}

void fail_by_exit_code(Record& record, const nlohmann::json& code) {
  if (code.is_null()) {
    fail(record, Status::kFailed, "ended by a signal");
  } else if (code != 0) {
    fail(record, Status::kFailed, "exit code " + code.dump());
  }
}

void add_times(const JsonCursor& result, const Record& base, Document& document) {
  const std::vector<double> times = result.at("times").numbers();
  const auto codes = result.find("exit_codes");
  if (codes && codes->size() != times.size()) {
    codes->invalid("has " + std::to_string(codes->size()) + " elements beside " +
                   std::to_string(times.size()) + " times");
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    Record record = base;
    record.metric = wall_time();
    record.order = static_cast<int>(i);
    // The shell's own start-up time is subtracted, and what is left is cut off at 0.
    set_value(record, times[i]);
    if (codes) {
      const JsonCursor code = (*codes)[i];
      if (!code.json().is_null()) code.integer();
      fail_by_exit_code(record, code.json());
    }
    document.records.push_back(std::move(record));
  }
}

void add_memory(const JsonCursor& result, const Record& base, Document& document) {
  const auto memory = result.find("memory_usage_byte");
  if (!memory) return;
  const std::vector<double> bytes = memory->numbers();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Record record = base;
    record.metric = peak_memory();
    record.informational = true;
    record.order = static_cast<int>(i);
    set_value(record, bytes[i]);
    document.records.push_back(std::move(record));
  }
}

void add_processor_times(const JsonCursor& result, const Record& base, Document& document) {
  for (const auto& [key, name] : {std::pair("user", "user_time"), {"system", "system_time"}}) {
    const auto value = result.find(key, &JsonCursor::number);
    // Short commands use too little processor time to be seen.
    if (!value || *value == 0) continue;
    Record record = base;
    record.metric = {name, "s", Direction::kLower, Kind::kTime};
    record.kind = RecordKind::kAggregate;
    record.statistic = "mean";
    record.informational = true;
    set_value(record, *value);
    document.records.push_back(std::move(record));
  }
}

}  // namespace

bool looks_like_hyperfine(const nlohmann::json& document) {
  if (!document.is_object()) return false;
  const auto results = document.find("results");
  return results != document.end() && results->is_array() && !results->empty() &&
         results->front().is_object() && results->front().contains("command");
}

Document read_hyperfine(std::string_view bytes, const std::string& name) {
  Document document = new_document("hyperfine", name, bytes);
  const nlohmann::json json = parse_strict_json(bytes, name, NonFinite::kKeep);
  const JsonCursor results = JsonCursor(json, name).at("results");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const JsonCursor result = results[i];
    Fields workload;
    Record base;
    base.case_name = command_case(result, workload);
    base.row = i + 1;
    if (!seen.insert(base.case_name).second) {
      result.invalid("\"" + base.case_name +
                     "\" stands in the file twice; name the commands with --command-name");
    }
    document.workload[base.case_name] = std::move(workload);
    if (result.find("times")) add_times(result, base, document);
    add_memory(result, base, document);
    base.metric = wall_time();
    append_statistics(result, base, document);
    add_processor_times(result, base, document);
  }
  return document;
}

}  // namespace perfgate::import
