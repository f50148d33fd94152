// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/studies/combined_file.h"

#include <algorithm>

#include "perfgate/published/studies/study_metrics.h"

namespace perfgate::published {
namespace {

std::string FieldOf(Arm arm, std::string_view what) {
  return std::string(name_of(arm)) + "_" + std::string(what);
}

std::optional<JsonCursor> ObjectIn(const JsonCursor& parent, std::string_view name) {
  const auto found = parent.find(name);
  if (found && found->json().is_object()) return found;
  return std::nullopt;
}

// The part of the file that is not about the commit.
JsonCursor BodyOf(const JsonCursor& root) { return ObjectIn(root, "result").value_or(root); }

JsonCursor ArmsOf(const JsonCursor& body) {
  if (const auto results = ObjectIn(body, "results")) return *results;
  return ObjectIn(body, "arms").value_or(body);
}

struct WholeRun {
  std::string status;
  std::string error;
  std::optional<bool> has_agent_patch;

  bool Succeeded() const { return IsSuccess(status); }
};

// An arm of which the file has no object: its own words, else what the whole run says.
StudyArm SilentArm(const JsonCursor& body, Arm arm, bool empty_metrics, const WholeRun& run) {
  StudyArm result;
  const std::string status = FirstText(body, {FieldOf(arm, "status")}).value_or("");
  const std::string error = FirstText(body, {FieldOf(arm, "error")}).value_or("");
  const bool patched = arm == Arm::kAgent && run.has_agent_patch.value_or(false);
  if (status == "skipped" || status == "not_run" ||
      (arm == Arm::kAgent && run.has_agent_patch == false)) {
    result.state = ArmState::kNotRun;
    result.reason = status.empty() ? "there is no patch of the agent" : status;
  } else if (!error.empty() || (!status.empty() && !IsSuccess(status))) {
    result.state = ArmState::kFailed;
    result.kind = FailureToken(status, error);
    result.reason = error.empty() ? status : error;
  } else if (run.status == FieldOf(arm, "failed")) {
    result.state = ArmState::kFailed;
    result.kind = arm == Arm::kBaseline ? "baseline_server_failed" : "pipeline_error";
    result.reason = run.error.empty() ? run.status : run.error;
  } else if (IsSuccess(status) || (run.Succeeded() && (empty_metrics || patched))) {
    result.state = ArmState::kFailed;
    result.kind = "no_metrics";
    result.reason = "it ran and has no metric that perfgate knows";
  } else {
    result.reason = "the file says nothing of this arm";
  }
  return result;
}

StudyArm ArmFromMetrics(const JsonCursor& body, Arm arm, const WholeRun& run,
                        StudyReading& reading) {
  StudyArm result;
  const auto metrics = body.find(FieldOf(arm, "metrics"));
  if (metrics) AddStudyMetrics(reading.registry, *metrics, result.metrics, reading.unknown);
  const std::string status = FirstText(body, {FieldOf(arm, "status")}).value_or("success");
  if (result.metrics.empty() || !IsSuccess(status)) {
    return SilentArm(body, arm, metrics.has_value(), run);
  }
  result.state = ArmState::kMeasured;
  return result;
}

void CheckChanges(const JsonCursor& body, const StudyRecord& record, const StudyReading& reading) {
  struct Stated {
    std::string_view field;
    Arm first;
    Arm second;
  };
  for (const Stated& stated : {Stated{"human_improvement", Arm::kBaseline, Arm::kHuman},
                               Stated{"agent_improvement", Arm::kBaseline, Arm::kAgent},
                               Stated{"agent_vs_human", Arm::kHuman, Arm::kAgent}}) {
    const auto change = body.find(stated.field);
    if (!change) continue;
    CheckStatedChange(reading.registry, *change, record.arms[index_of(stated.first)].metrics,
                      record.arms[index_of(stated.second)].metrics);
  }
}

std::set<std::string, std::less<>> KnownHere() {
  std::set<std::string, std::less<>> known = {"results", "arms", "human_improvement",
                                              "agent_improvement", "agent_vs_human"};
  for (const Arm arm : kAllArms) {
    known.insert(std::string(name_of(arm)));
    for (const char* what : {"metrics", "raw", "status", "error", "model"}) {
      known.insert(FieldOf(arm, what));
    }
  }
  return known;
}

}  // namespace

bool HoldsArms(const JsonCursor& root) {
  const JsonCursor body = BodyOf(root);
  const JsonCursor arms = ArmsOf(body);
  return std::any_of(kAllArms.begin(), kAllArms.end(), [&](Arm arm) {
    return arms.has(name_of(arm)) || body.has(FieldOf(arm, "metrics"));
  });
}

StudyRecord ReadCombined(const JsonCursor& root, const std::string& id, StudyReading& reading) {
  root.require_object();
  const JsonCursor body = BodyOf(root);
  const JsonCursor arms = ArmsOf(body);
  const JsonCursor about = ObjectIn(root, "instance").value_or(root);
  if (!HoldsArms(root) && !body.find("status") && !body.find("error")) {
    root.fail("holds neither an arm nor a status; expected e.g. \"human_metrics\" or \"results\"");
  }
  for (const JsonCursor& part : {root, body, about}) CheckCommit(part, id);
  StudyRecord record;
  record.id = id;
  record.shared_run = true;
  record.subject = FirstText(about, {"commit_subject", "subject"});
  record.model = ModelOf(body);
  if (!record.model) record.model = ModelOf(about);
  record.pipeline_status = FirstText(body, {"status"});
  const WholeRun run = {record.pipeline_status.value_or(""),
                        FirstText(body, {"error", "error_message"}).value_or(""),
                        body.find("has_agent_patch", &JsonCursor::boolean)};
  auto output_len = OutputLengthOf(body);
  if (!output_len) output_len = OutputLengthOf(about);
  const auto mode = ModeOf(body);
  for (const Arm arm : kAllArms) {
    StudyArm& result = record.arms[index_of(arm)];
    if (const auto object = arms.find(name_of(arm))) {
      CheckArm(*object, arm);
      if (arm != Arm::kBaseline) CheckCommit(*object, id);  // a baseline may name its own
      NoteUnknown(*object, {}, reading);
      result = ReadArmObject(*object, reading);
      if (!record.model) record.model = result.model;
    } else {
      result = ArmFromMetrics(body, arm, run, reading);
    }
    if (!result.model) result.model = FirstText(body, {FieldOf(arm, "model")});
    if (!result.mode) result.mode = mode;
    if (!result.output_len) result.output_len = output_len;
  }
  // One job has one model, unless an arm says otherwise.
  for (StudyArm& arm : record.arms) {
    if (!arm.model) arm.model = record.model;
  }
  if (!run.status.empty() ? !run.Succeeded() : !run.error.empty()) {
    record.run_error = FailureToken(run.status, run.error);
  }
  CheckChanges(body, record, reading);
  const auto known = KnownHere();
  NoteUnknown(body, known, reading);
  NoteUnknown(root, known, reading);
  return record;
}

}  // namespace perfgate::published
