// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/studies/population.h"

#include <algorithm>

#include "perfgate/base/json/strict_json.h"
#include "perfgate/published/studies/population_record.h"

namespace perfgate::published {
namespace {

using nlohmann::json;
using Ordered = nlohmann::ordered_json;

constexpr std::string_view kFormatWord = "perfgate-parity-commits/1";

// The known fields in this order, then the rest by name.
Ordered InOrder(const json& object, std::initializer_list<const char*> names) {
  Ordered result = Ordered::object();
  for (const char* name : names) {
    if (object.contains(name)) result[name] = object[name];
  }
  for (const auto& [name, value] : object.items()) {
    if (!result.contains(name)) result[name] = value;
  }
  return result;
}

Ordered OrderedArms(const json& arms) {
  Ordered result = Ordered::object();
  for (const auto& name : kArmNames) {
    const std::string key(name);
    if (!arms.contains(key)) continue;
    Ordered arm = InOrder(arms[key], {"value", "decimals", "model", "mode"});
    arm["value"] = arms[key].at("value").get<double>();
    result[key] = std::move(arm);
  }
  return result;
}

std::string SortKey(const json& measurement) {
  std::string key;
  for (const char* name : {"source", "metric", "unit"}) {
    key += measurement.contains(name) && measurement[name].is_string()
               ? measurement[name].get<std::string>()
               : "";
    key += '\n';
  }
  return key;
}

Ordered OrderedRecord(const json& record) {
  Ordered result =
      InOrder(record, {"id", "subject", "pr", "model", "model_by", "pipeline_status", "status",
                       "measurements", "verification", "errors", "gpu_need"});
  result["status"] = InOrder(record.at("status"), {"baseline", "human", "agent"});
  std::vector<json> measurements = record.at("measurements");
  std::stable_sort(measurements.begin(), measurements.end(),
                   [](const json& a, const json& b) { return SortKey(a) < SortKey(b); });
  result["measurements"] = Ordered::array();
  for (const json& m : measurements) {
    Ordered ordered =
        InOrder(m, {"source", "shared_run", "metric", "metric_inferred", "unit", "better",
                    "output_len", "target", "replaces", "replaced_by", "arms"});
    ordered["arms"] = OrderedArms(m.at("arms"));
    result["measurements"].push_back(std::move(ordered));
  }
  result["errors"] = Ordered::array();
  for (const json& e : record.at("errors")) {
    result["errors"].push_back(InOrder(e, {"arm", "kind", "by"}));
  }
  return result;
}

// Fields that may be left out, as the null that they stand for; arms that are null, left out.
void CompleteRecord(json& record) {
  json complete = EmptyRecord(record["id"]);
  complete.update(record);
  for (json& m : complete["measurements"]) {
    for (const std::string_view name : kArmNames) {
      const auto arm = m["arms"].find(std::string(name));
      if (arm != m["arms"].end() && arm->is_null()) m["arms"].erase(arm);
    }
  }
  record = std::move(complete);
}

json& RecordIn(json& population, const json& incoming) {
  for (json& record : population["commits"]) {
    if (record["id"] == incoming["id"]) return record;
  }
  population["commits"].push_back(EmptyRecord(incoming["id"]));
  return population["commits"].back();
}

}  // namespace

json EmptyPopulation() {
  return {{"format", kFormatWord}, {"arms", kArmNames}, {"commits", json::array()}};
}

json PopulationFromJson(std::string_view text, const std::string& where) {
  published_from_json(text, where);
  json population = parse_strict_json(text, where);
  if (population["format"] != kFormatWord) {
    throw Error(Exit::kData, where + ": /format: expected \"" + std::string(kFormatWord) +
                                 "\"; only a population file can be updated");
  }
  for (json& record : population["commits"]) CompleteRecord(record);
  return population;
}

void AddStudies(json& population, const std::vector<Study>& studies) {
  for (const bool reruns : {false, true}) {
    for (const Study& study : studies) {
      for (const StudySource& source : study.sources) {
        if ((source.layout == Layout::kReruns) != reruns) continue;
        for (const StudyRecord& record : source.records) {
          const json incoming = RecordJson(record, source.layout);
          FoldRecord(RecordIn(population, incoming), incoming, reruns);
        }
      }
    }
  }
}

void AddPopulation(json& population, const json& other) {
  for (const json& incoming : other.at("commits")) {
    json& record = RecordIn(population, incoming);
    if (record == EmptyRecord(incoming["id"])) {
      record = incoming;
    } else {
      FoldRecord(record, incoming, false);
    }
  }
}

std::string PopulationText(const json& population) {
  std::vector<json> commits = population.at("commits");
  std::sort(commits.begin(), commits.end(), [](const json& a, const json& b) {
    return a["id"].get<std::string>() < b["id"].get<std::string>();
  });
  json head = population;
  head["n"] = commits.size();
  head["commits"] = json::array();
  Ordered result = InOrder(head, {"format", "split", "n", "arms", "commits"});
  for (const json& record : commits) result["commits"].push_back(OrderedRecord(record));
  return result.dump(1) + "\n";
}

}  // namespace perfgate::published
