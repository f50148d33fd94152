// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "perfgate/audit/read/table_json.h"
#include "perfgate/base/error.h"
#include "perfgate/base/json/json_cursor.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/published/published_rules.h"

namespace perfgate::audit {
namespace {

using nlohmann::json;

std::string pointer_of(std::size_t index, const std::string& field) {
  std::string pointer = "/commits/" + std::to_string(index);
  if (field.empty()) return pointer;
  pointer += '/';
  for (const char c : field) {
    if (c == '.' || c == '[') {
      pointer += '/';
    } else if (c != ']') {
      pointer += c;
    }
  }
  return pointer;
}

std::vector<JsonCursor> commits_of(const JsonCursor& document) {
  std::vector<JsonCursor> commits = document.at("commits", "expected a list").elements();
  for (const JsonCursor& commit : commits) commit.require_object();
  return commits;
}

void check_length(const json& document, const std::string& file, std::size_t length,
                  std::vector<Finding>& findings) {
  const auto stated = document.find("n");
  if (stated == document.end() || !stated->is_number() ||
      stated->get<double>() == static_cast<double>(length)) {
    return;
  }
  Finding finding;
  finding.file = file;
  finding.pointer = "/n";
  finding.field = "n";
  finding.kind = Kind::kListVsHeading;
  finding.severity = Severity::kHigh;
  finding.published = "n = " + stated->dump();
  finding.recomputed = std::to_string(length) + " items";
  finding.explanation = "the list has another length than it states";
  findings.push_back(std::move(finding));
}

// A JSON number has lost its trailing zeros: one decimal is the least that a percentage was
// printed with, unless it is a whole number without a point.
PrintedNumber percentage(const json& value) {
  PrintedNumber number;
  if (value.is_string() && parse_printed_number(value.get<std::string>(), number)) return number;
  parse_printed_number(value.dump(), number);
  return number;
}

std::vector<std::string> string_list(const JsonCursor& value) {
  if (value.json().is_string()) return {value.text()};
  if (!value.json().is_array()) value.refuse("a list of words");
  return value.list([](const JsonCursor& word) { return json_text(word.json()); });
}

PublishedClaims read_item(const JsonCursor& commit, std::size_t index) {
  PublishedClaims item;
  item.index = index;
  item.id = commit.at("id", "expected the item's id").text();
  if (commit.has("deltas_pct")) {
    const JsonCursor deltas = commit.at("deltas_pct");
    deltas.require_object();
    for (const auto& [pair, value] : deltas.json().items()) {
      if (value.is_null()) continue;
      if (!value.is_number() && !value.is_string()) deltas.at(pair).refuse("a number");
      item.deltas_pct[pair] = percentage(value);
    }
  }
  if (commit.has("outcomes")) item.outcomes = string_list(commit.at("outcomes"));
  if (commit.has("lists")) {
    const JsonCursor lists = commit.at("lists");
    lists.require_object();
    for (const auto& [name, value] : lists.json().items()) {
      item.lists[name] = string_list(lists.at(name));
    }
  }
  if (!commit.has("models")) return item;
  for (const JsonCursor& model : commit.at("models").elements()) {
    const std::string name =
        json_text(model.at("model", R"(expected objects with "by" and "model")").json());
    item.models.push_back({model.has("by") ? json_text(model.at("by").json()) : "", name,
                           model.json().value("cut", json(false)) == true});
  }
  return item;
}

// Which way a metric is better, where everybody agrees; empty for others.
std::string known_direction(const std::string& metric) {
  if (metric.find("throughput") != std::string::npos) return "higher";
  for (const char* time : {"tpot", "ttft", "itl", "e2el"}) {
    if (metric.starts_with(time)) return "lower";
  }
  return metric.find("latency") != std::string::npos ? "lower" : "";
}

// A unit that the metric cannot have is taken out, so that the rest can be recomputed.
void check_unit(json& entry, const std::string& metric, bool rate, Finding at,
                std::vector<Finding>& findings) {
  if (!entry.contains("unit") || !entry["unit"].is_string()) return;
  const std::string unit = entry["unit"].get<std::string>();
  const bool in_time = unit_scale(unit, "s").has_value();
  if (rate ? !in_time : in_time || !canonical_unit(unit)) return;
  at.kind = Kind::kMetadata;
  at.severity = Severity::kHigh;
  at.published = metric + " in " + unit;
  at.recomputed = metric + std::string(rate ? " is a rate" : " is a time");
  at.explanation = "the metric cannot have this unit";
  findings.push_back(std::move(at));
  entry["unit"] = nullptr;
}

// Puts directions right, so that what follows can be recomputed, and says so.
void check_directions(json& commit, const std::string& file, std::size_t index,
                      std::vector<Finding>& findings) {
  if (!commit.contains("measurements") || !commit["measurements"].is_array()) return;
  json& measurements = commit["measurements"];
  for (std::size_t m = 0; m < measurements.size(); ++m) {
    json& entry = measurements[m];
    if (!entry.is_object() || !entry.contains("metric") || !entry["metric"].is_string() ||
        !entry.contains("better") || !entry["better"].is_string()) {
      continue;
    }
    const std::string metric = entry["metric"].get<std::string>();
    const std::string known = known_direction(metric);
    const std::string stated = entry["better"].get<std::string>();
    if (!known.empty()) {
      check_unit(entry, metric, known == "higher",
                 at_commit(file, index, json_text(commit.value("id", json(""))),
                           "measurements[" + std::to_string(m) + "].unit"),
                 findings);
    }
    if (known.empty() || stated == known || (stated != "lower" && stated != "higher")) continue;
    Finding finding = at_commit(file, index, json_text(commit.value("id", json(""))),
                                "measurements[" + std::to_string(m) + "].better");
    finding.kind = Kind::kDirection;
    finding.severity = Severity::kHigh;
    finding.published = fmt::format("{} better={}", metric, stated);
    finding.recomputed = fmt::format("{} is {}-is-better", metric, known);
    finding.explanation = "wins and losses of this entry are exchanged";
    findings.push_back(std::move(finding));
    entry["better"] = known;
  }
}

}  // namespace

std::string PublishedClaims::in(const std::string& list) const {
  const auto found = lists.find(list);
  return found == lists.end() || found->second.empty() ? "" : found->second.front();
}

bool Fact::measured(published::Arm arm) const {
  return std::any_of(item.measurements.begin(), item.measurements.end(),
                     [&](const published::PublishedMeasurement& measurement) {
                       return !measurement.replaced && measurement.arms[published::index_of(arm)];
                     });
}

int Fact::measured_arms() const {
  return static_cast<int>(std::count_if(published::kAllArms.begin(), published::kAllArms.end(),
                                        [&](published::Arm arm) { return measured(arm); }));
}

ClaimsFile read_claims_file(const json& document, const std::string& file,
                            std::vector<Finding>& findings) {
  const std::vector<JsonCursor> commits = commits_of(JsonCursor(document, file));
  check_length(document, file, commits.size(), findings);
  ClaimsFile result{file, {}};
  std::set<std::string> ids;
  for (const JsonCursor& commit : commits) {
    result.items.push_back(read_item(commit, result.items.size()));
    const std::string& id = result.items.back().id;
    if (!ids.insert(id).second) {
      commit.at("id").invalid("the id \"" + id +
                              "\" stands twice, so its statements are anybody's choice");
    }
  }
  return result;
}

FactsFile read_facts_file(json document, const std::string& file, std::vector<Finding>& findings) {
  check_length(document, file, commits_of(JsonCursor(document, file)).size(), findings);
  json& commits = document["commits"];
  document["n"] = commits.size();
  for (std::size_t i = 0; i < commits.size(); ++i) check_directions(commits[i], file, i, findings);
  const published::PublishedSet set = published::published_from_json(document.dump(), file);
  FactsFile result{file, {}};
  for (std::size_t i = 0; i < set.items.size(); ++i) {
    result.items.push_back({set.items[i], published::answer_item(set.items[i]), i});
  }
  return result;
}

const Fact* find_fact(const std::vector<FactsFile>& files, const std::string& id,
                      std::string* file) {
  for (const FactsFile& facts : files) {
    for (const Fact& fact : facts.items) {
      if (fact.item.id != id) continue;
      if (file != nullptr) *file = facts.file;
      return &fact;
    }
  }
  return nullptr;
}

Finding at_commit(const std::string& file, std::size_t index, const std::string& id,
                  const std::string& field) {
  Finding finding;
  finding.file = file;
  finding.pointer = pointer_of(index, field);
  finding.commit = id;
  finding.field = field;
  return finding;
}

}  // namespace perfgate::audit
