// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/imported_gate.h"

#include <algorithm>
#include <map>

#include "perfgate/error.h"

namespace perfgate {
namespace {

bool contains_any(const std::string& name, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

// The reason under which a workload field that differs is reported.
std::string workload_reason(const std::string& field) {
  if (contains_any(field, {"token", "input_len", "output_len", "prompts", "requests", "num_"})) {
    return field.find("tokenizer") == std::string::npos ? "token_budget_mismatch"
                                                        : "model_mismatch";
  }
  if (contains_any(field, {"model", "quant", "dtype"})) return "model_mismatch";
  if (contains_any(field, {"mode", "backend"})) return "mode_mismatch";
  return "workload_mismatch";
}

// Likewise of the environment.
std::string environment_reason(const std::string& field) {
  if (contains_any(field, {"compiler", "toolchain", "cuda", "cudnn", "driver", "version", "library",
                           "python", "git_sha", "commit", "docker", "image"})) {
    return "toolchain_mismatch";
  }
  if (contains_any(field, {"cpu", "gpu", "mhz", "cache", "machine", "processor", "device",
                           "sm_version", "arch", "memory"})) {
    return "hardware_mismatch";
  }
  return "environment_mismatch";
}

std::map<std::string, std::string> as_map(const std::vector<NamedValue>& fields) {
  std::map<std::string, std::string> result;
  for (const NamedValue& field : fields) result[field.name] = field.value;
  return result;
}

// Fields that differ, or that one side alone states.
template <class Reason>
void compare_fields(const std::vector<NamedValue>& one, const std::vector<NamedValue>& other,
                    Reason reason, const std::string& case_name, std::vector<Mismatch>& found) {
  std::map<std::string, std::pair<std::string, std::string>> all;
  for (const auto& [name, value] : as_map(one)) all[name] = {value, "not stated"};
  for (const auto& [name, value] : as_map(other)) {
    const auto [place, added] = all.try_emplace(name, "not stated", value);
    if (!added) place->second.second = value;
  }
  for (const auto& [name, values] : all) {
    if (values.first == values.second) continue;
    found.push_back(
        {reason(name), name + ": " + values.first + " against " + values.second, case_name, {}});
  }
}

// One session per round, so that rounds are the rows.
std::vector<RecordedSession> rows_of(const Session& session) {
  if (session.arms.size() != 1) {
    throw Error(Exit::kData,
                "a session of " + std::to_string(session.arms.size()) +
                    " arms cannot be one side of a gate: show it with `perfgate report`");
  }
  if (session.origins.empty()) return {make_recorded(session)};
  std::vector<RecordedSession> rows;
  // Where nothing succeeded there is no round, and the faults still have to be judged.
  const std::vector<RoundInfo> rounds =
      session.rounds.empty() ? std::vector<RoundInfo>(1) : session.rounds;
  for (const RoundInfo& round : rounds) {
    Session one = session;
    one.complete = true;
    one.rounds = {round};
    rows.push_back(make_recorded(one));
  }
  return rows;
}

void add_faults(const Session& session, int arm, std::vector<CaseFault>& faults) {
  for (Fault fault : session.faults) {
    fault.arm = arm;
    faults.push_back({session.cases.empty() ? "" : session.cases[fault.case_index].name, fault});
  }
}

// What the baseline's files do not decide on, no gate on them does, unless its policy says so.
void keep_ungated(const Session& baseline, Policy& policy) {
  if (baseline.origins.empty()) return;
  std::vector<CaseRule> rules;
  for (const CaseRule& rule : baseline.policy.cases) {
    if (rule.match == "*" && rule.metric && rule.gate == false) rules.push_back(rule);
  }
  policy.cases.insert(policy.cases.begin(), rules.begin(), rules.end());
}

}  // namespace

std::string grade_of_files(std::initializer_list<const Session*> sessions) {
  const auto any = [&](auto test) {
    return std::any_of(sessions.begin(), sessions.end(),
                       [&](const Session* s) { return test(*s); });
  };
  if (any([](const Session& s) { return s.grade == "aggregate"; })) return "aggregate";
  return any([](const Session& s) { return !s.origins.empty(); }) ? "imported" : "stored";
}

StoredEvidence evidence_of_files(const Session& baseline, const Session& candidate,
                                 const Policy& policy) {
  StoredEvidence evidence;
  evidence.grade = grade_of_files({&baseline, &candidate});
  evidence.policy = policy;
  keep_ungated(baseline, evidence.policy);
  // The candidate has no say in what is judged.
  evidence.unknown_metrics = baseline.unknown_metrics;
  evidence.baseline = rows_of(baseline);
  evidence.candidate = rows_of(candidate);
  add_faults(baseline, 0, evidence.faults);
  add_faults(candidate, 1, evidence.faults);
  compare_fields(baseline.environment, candidate.environment, environment_reason, {},
                 evidence.further_mismatches);
  for (const CaseInfo& info : baseline.cases) {
    for (const CaseInfo& other : candidate.cases) {
      if (other.name != info.name) continue;
      compare_fields(info.workload, other.workload, workload_reason, info.name,
                     evidence.further_mismatches);
    }
  }
  for (const Session* session : {&baseline, &candidate}) {
    for (const auto& [field, state] : session->unstated) {
      evidence.unstated.push_back(session->arms.front().label + ": " + field + " is " + state);
    }
    for (const CaseInfo& info : session->cases) {
      for (const std::string& metric : info.aggregates) {
        evidence.aggregates.push_back(info.name + " " + metric);
      }
    }
  }
  return evidence;
}

const std::vector<std::string>& imported_reasons() {
  static const std::vector<std::string> reasons = {"model_mismatch", "mode_mismatch",
                                                   "token_budget_mismatch", "environment_mismatch"};
  return reasons;
}

}  // namespace perfgate
