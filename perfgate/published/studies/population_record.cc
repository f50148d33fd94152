// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/studies/population_record.h"

#include <algorithm>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::published {
namespace {

using nlohmann::json;

json OrNull(const std::optional<std::string>& text) { return text ? json(*text) : json(nullptr); }

std::string StatusWord(ArmState state) {
  switch (state) {
    case ArmState::kMeasured:
      return "measured";
    case ArmState::kFailed:
      return "failed";
    case ArmState::kNotRun:
      return "not_run";
    case ArmState::kMissing:
    case ArmState::kUnreadable:
      return "no_record";
  }
  return "no_record";
}

bool SameField(const json& a, const json& b, const char* name) {
  return a.value(name, json()) == b.value(name, json());
}

bool SameMetric(const json& a, const json& b) {
  return SameField(a, b, "metric") && SameField(a, b, "unit") && SameField(a, b, "output_len");
}

json& MeasurementFor(json& list, const StudyMetric& metric, const StudyArm& arm, bool shared,
                     Layout layout) {
  json m = {{"source", word_of(layout)},
            {"shared_run", shared},
            {"metric", metric.name},
            {"unit", OrNull(metric.unit)},
            {"better", to_string(metric.better)},
            {"arms", json::object()}};
  if (arm.output_len) m["output_len"] = *arm.output_len;
  for (json& other : list) {
    if (SameMetric(other, m)) return other;
  }
  list.push_back(std::move(m));
  return list.back();
}

bool HasAnyArm(const json& measurement, const json& arms) {
  return std::any_of(arms.items().begin(), arms.items().end(),
                     [&](const auto& arm) { return measurement["arms"].contains(arm.key()); });
}

bool SameValue(const json& a, const json& b) {
  return a["value"].get<double>() == b["value"].get<double>() && SameField(a, b, "decimals") &&
         SameField(a, b, "model") && SameField(a, b, "mode");
}

// All arms of `part` stand in `whole` with the same values.
bool Holds(const json& whole, const json& part) {
  for (const auto& [name, arm] : part["arms"].items()) {
    if (!whole["arms"].contains(name) || !SameValue(whole["arms"][name], arm)) return false;
  }
  return true;
}

// `incoming` with the arms of `old` that it does not have.
json Overlaid(const json& old, const json& incoming) {
  json result = incoming;
  for (const auto& [name, arm] : old["arms"].items()) {
    if (result["arms"].contains(name)) continue;
    result["arms"][name] = arm;
    result["shared_run"] = false;
  }
  return result;
}

void AddMark(json& measurement, const json& source) {
  json& replaces = measurement["replaces"];
  if (!replaces.is_array()) replaces = json::array();
  if (std::find(replaces.begin(), replaces.end(), source) == replaces.end()) {
    replaces.push_back(source);
  }
}

// Replaces `old` by `by`.
void Replace(json& old, json& by) {
  old["replaced_by"] = by["source"];
  AddMark(by, old["source"]);
}

void FoldMeasurement(json& list, const json& incoming, bool rerun, const json& rerun_arms) {
  for (json& old : list) {
    if (old["source"] != incoming["source"] || !SameMetric(old, incoming)) continue;
    if (!Holds(old, incoming)) continue;
    // Said before. The newer file may know of a successor.
    if (IsReplaced(incoming) && !IsReplaced(old)) old["replaced_by"] = incoming["replaced_by"];
    return;
  }
  json added = incoming;
  for (json& old : list) {
    if (old["source"] != incoming["source"] || !SameMetric(old, incoming)) continue;
    if (IsReplaced(old)) {
      added["replaced_by"] = old["replaced_by"];  // its successor is newer than both
    } else {
      added = Overlaid(old, added);
      Replace(old, added);
    }
  }
  if (rerun) {
    for (json& old : list) {
      if (IsReplaced(old) || old["source"] == incoming["source"]) continue;
      if (!HasAnyArm(old, rerun_arms)) continue;
      if (SameMetric(old, incoming)) {
        added = Overlaid(old, added);
        Replace(old, added);
      }
    }
  }
  list.push_back(std::move(added));
}

// A rerun also outdates what older runs of its arms say in other metrics.
void ReplaceOthers(json& list, const json& incoming, const json& rerun_arms) {
  for (json& old : list) {
    if (IsReplaced(old) || old["source"] == incoming["source"]) continue;
    if (!HasAnyArm(old, rerun_arms)) continue;
    for (json& m : list) {
      if (m["source"] == incoming["source"] && !IsReplaced(m)) AddMark(m, old["source"]);
    }
    old["replaced_by"] = incoming["source"];
  }
}

void FoldStatus(json& record, const json& incoming) {
  for (const std::string_view name : kArmNames) {
    const std::string arm(name);
    const auto& list = record["measurements"];
    const bool valued = std::any_of(list.begin(), list.end(), [&](const json& m) {
      return !IsReplaced(m) && m["arms"].contains(arm);
    });
    const json& old = record["status"][arm];
    const json& now = incoming["status"][arm];
    std::string word = "no_record";
    for (const char* weaker : {"not_run", "failed"}) {
      if (old == weaker || now == weaker) word = weaker;
    }
    record["status"][arm] = valued ? "measured" : word;
  }
}

}  // namespace

json EmptyRecord(const json& id) {
  return {{"id", id},
          {"subject", nullptr},
          {"pr", nullptr},
          {"model", nullptr},
          {"model_by", nullptr},
          {"pipeline_status", nullptr},
          {"status", {{"baseline", "no_record"}, {"human", "no_record"}, {"agent", "no_record"}}},
          {"measurements", json::array()},
          {"verification", nullptr},
          {"errors", json::array()},
          {"gpu_need", json::array()}};
}

json RecordJson(const StudyRecord& record, Layout layout) {
  json result = EmptyRecord(record.id);
  result["subject"] = OrNull(record.subject);
  result["model"] = OrNull(record.model);
  result["pipeline_status"] = OrNull(record.pipeline_status);
  const auto measured = std::count_if(record.arms.begin(), record.arms.end(), [](const auto& arm) {
    return arm.state == ArmState::kMeasured;
  });
  const bool shared = record.shared_run && (layout == Layout::kCombined || measured > 1);
  for (const Arm name : kAllArms) {
    const StudyArm& arm = record.arms[index_of(name)];
    const std::string key(name_of(name));
    result["status"][key] = StatusWord(arm.state);
    for (const StudyMetric& metric : arm.metrics) {
      json& m = MeasurementFor(result["measurements"], metric, arm, shared, layout);
      m["arms"][key] = {{"value", metric.value},
                        {"decimals", metric.decimals},
                        {"model", OrNull(arm.model)},
                        {"mode", OrNull(arm.mode)}};
    }
    if (!arm.kind.empty()) {
      result["errors"].push_back({{"arm", key}, {"kind", arm.kind}, {"by", word_of(layout)}});
    }
  }
  if (!record.run_error.empty()) {
    result["errors"].push_back(
        {{"arm", "run"}, {"kind", record.run_error}, {"by", word_of(layout)}});
  }
  return result;
}

void FoldRecord(json& record, const json& incoming, bool rerun) {
  json rerun_arms = json::object();
  for (const json& m : incoming["measurements"]) rerun_arms.update(m["arms"]);
  for (const json& m : incoming["measurements"]) {
    FoldMeasurement(record["measurements"], m, rerun, rerun_arms);
  }
  if (rerun && !rerun_arms.empty()) {
    ReplaceOthers(record["measurements"], incoming["measurements"][0], rerun_arms);
  }
  for (const char* name : {"subject", "model", "pipeline_status"}) {
    if (!incoming[name].is_null()) record[name] = incoming[name];
  }
  for (const json& error : incoming["errors"]) {
    json& errors = record["errors"];
    if (std::find(errors.begin(), errors.end(), error) == errors.end()) errors.push_back(error);
  }
  FoldStatus(record, incoming);
}

}  // namespace perfgate::published
