// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/formats/pytest_benchmark.h"

#include <set>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/import/record_value.h"

namespace perfgate::import {
namespace {

// Names the machine, not its kind, or changes from one moment to the next.
bool is_no_environment(const std::string& field) {
  return field == "machine.node" || field.starts_with("machine.cpu.hz_actual");
}

void read_head(const JsonCursor& root, Document& document) {
  if (const auto version = root.find("version")) {
    document.version = version->text();
    document.environment["version"] = document.version;
  }
  if (const auto date = root.find("datetime")) document.recorded = date->text();
  if (const auto machine = root.find("machine_info")) {
    add_fields(document.environment, "machine", machine->json());
    std::erase_if(document.environment,
                  [](const auto& field) { return is_no_environment(field.first); });
  }
  const auto commit = root.find("commit_info");
  if (!commit) return;
  if (const auto id = commit->find("id")) document.commit = id->text();
  if (const auto dirty = commit->find("dirty"); dirty && dirty->boolean()) {
    document.commit += "-dirty";
    document.warnings.push_back(document.name +
                                ": the working tree had changes that are in no commit");
  }
}

void add_samples(const JsonCursor& stats, const JsonCursor& data, const Record& base,
                 Document& document) {
  const std::vector<double> seconds = data.numbers();
  if (const auto rounds = stats.find("rounds");
      rounds && rounds->integer() != static_cast<std::int64_t>(seconds.size())) {
    rounds->invalid("says " + std::to_string(rounds->integer()) + " beside " +
                    std::to_string(seconds.size()) + " elements of data");
  }
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    Record record = base;
    record.order = static_cast<int>(i);
    set_value(record, seconds[i]);
    document.records.push_back(std::move(record));
  }
}

}  // namespace

bool looks_like_pytest_benchmark(const nlohmann::json& document) {
  if (!document.is_object()) return false;
  const auto rows = document.find("benchmarks");
  return rows != document.end() && rows->is_array() &&
         (document.contains("machine_info") || document.contains("commit_info")) &&
         !document.contains("context");
}

Document read_pytest_benchmark(std::string_view bytes, const std::string& name) {
  Document document = new_document("pytest_benchmark", name, bytes);
  const nlohmann::json json = parse_strict_json(bytes, name, NonFinite::kKeep);
  const JsonCursor root(json, name);
  const JsonCursor rows = root.at("benchmarks");
  read_head(root, document);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const JsonCursor row = rows[i];
    Record base;
    base.case_name = row.at("fullname").text();
    base.row = i + 1;
    if (base.case_name.empty()) row.at("fullname").refuse("a name");
    if (!seen.insert(base.case_name).second) {
      row.invalid("\"" + base.case_name + "\" stands in the file twice");
    }
    Fields& workload = document.workload[base.case_name];
    for (const char* field : {"params", "param", "options", "extra_info"}) {
      if (const auto value = row.find(field)) add_fields(workload, field, value->json());
    }
    const JsonCursor stats = row.at("stats");
    if (const auto iterations = stats.find("iterations")) base.iterations = iterations->integer();
    if (base.iterations < 1) stats.at("iterations").refuse("at least 1");
    if (const auto data = stats.find("data")) add_samples(stats, *data, base, document);
    append_statistics(stats, base, document);
  }
  return document;
}

}  // namespace perfgate::import
