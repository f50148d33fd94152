// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/imported_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/text/case_pattern.h"
#include "perfgate/verdict/workload_reason.h"

namespace perfgate::inline verdict {
namespace {

bool contains_any(const std::string& name, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return name.find(word) != std::string::npos; });
}

// The reason under which a field of the environment that differs is reported.
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
    found.push_back({std::string(reason(name)),
                     name + ": " + values.first + " against " + values.second,
                     case_name,
                     {}});
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

void add_imported_faults(const Session& session, int arm, std::vector<CaseFault>& faults) {
  for (Fault fault : session.faults) {
    fault.arm = arm;
    faults.push_back({session.cases.empty() ? "" : session.cases[fault.case_index].name, fault});
  }
}

// What the importer found not to decide (processor time, counters that nobody declared) does not
// decide here either. Rules of the gate's own policy come later and win.
std::vector<CaseRule> gating_rules(const Session& baseline, const Policy& policy) {
  if (baseline.origins.empty()) return policy.cases;
  std::vector<CaseRule> rules;
  for (const CaseRule& rule : baseline.policy.cases) {
    if (!rule.metric || rule.gate != false) continue;
    const auto declared =
        std::find_if(policy.metrics.begin(), policy.metrics.end(),
                     [&](const Metric& metric) { return metric.name == *rule.metric; });
    const auto read =
        std::find_if(baseline.metrics.begin(), baseline.metrics.end(),
                     [&](const Metric& metric) { return metric.name == *rule.metric; });
    if (declared == policy.metrics.end()) {
      rules.push_back({rule.match, rule.metric, std::nullopt, false});
    } else if (read != baseline.metrics.end() && *read != *declared) {
      throw Error(Exit::kUsage, "the policy declares " + declared->name +
                                    " otherwise than the session has it: import both files with "
                                    "--policy as well");
    }
  }
  rules.insert(rules.end(), policy.cases.begin(), policy.cases.end());
  return rules;
}

// The samples of a round by case and metric, without empty ones.
using Samples = std::map<std::pair<std::string, std::string>, std::vector<double>>;

Samples samples_of(const Session& session, const RoundInfo& round) {
  Samples samples;
  for (const CaseRound& measured : round.cases) {
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      std::vector<double> values = measured.values[m][0];
      std::erase_if(values, [](double v) { return !std::isfinite(v); });
      if (values.empty()) continue;
      samples[{session.cases[measured.case_index].name, session.metrics[m].name}] =
          std::move(values);
    }
  }
  return samples;
}

// Clocks do not repeat themselves; a few round numbers might.
bool are_measured(const Samples& samples) {
  constexpr std::size_t kDistinct = 5;
  std::set<double> distinct;
  for (const auto& [column, values] : samples) distinct.insert(values.begin(), values.end());
  return distinct.size() >= kDistinct;
}

// One run given as both arms would be as fast as itself.
void refuse_shared_rounds(const Session& baseline, const Session& candidate) {
  for (const Origin& one : baseline.origins) {
    for (const Origin& other : candidate.origins) {
      if (one.digest.empty() || one.digest != other.digest) continue;
      throw Error(Exit::kInvalid, "shared_round: " + other.file + " is a round of the baseline (" +
                                      one.file + ") and of the candidate");
    }
  }
  std::set<Samples> rounds;
  for (const RoundInfo& round : baseline.rounds) rounds.insert(samples_of(baseline, round));
  for (const RoundInfo& round : candidate.rounds) {
    const Samples samples = samples_of(candidate, round);
    if (!are_measured(samples) || !rounds.contains(samples)) continue;
    throw Error(Exit::kInvalid, "shared_round: round " + std::to_string(round.index + 1) +
                                    " of the candidate has exactly the samples of a round of the "
                                    "baseline: one run was given as both");
  }
}

void refuse_swapped_arms(const Session& baseline, const Session& candidate) {
  if (baseline.arms[0].label != "candidate" || candidate.arms[0].label != "baseline") return;
  throw Error(Exit::kNotComparable,
              "arms_swapped: the session given as the baseline was recorded as the candidate, and "
              "the other way round");
}

void keep_filtered(const std::string& filter, StoredEvidence& evidence) {
  if (filter.empty()) return;
  const std::regex wanted(ExpandedPattern(filter));
  const auto unwanted = [&](const std::string& name) { return !std::regex_search(name, wanted); };
  bool any = false;
  for (auto* rows : {&evidence.baseline, &evidence.candidate}) {
    for (RecordedSession& row : *rows) {
      std::erase_if(row.cases, [&](const RecordedCase& info) { return unwanted(info.name); });
      any = any || !row.cases.empty();
    }
  }
  std::erase_if(evidence.faults, [&](const CaseFault& fault) { return unwanted(fault.case_name); });
  std::erase_if(evidence.policy.expected, unwanted);
  if (any || !evidence.faults.empty() || !evidence.policy.expected.empty()) return;
  throw Error(Exit::kNotComparable, "no case is left: --filter '" + filter + "' matches none");
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
                                 const Policy& policy, Launches launches) {
  StoredEvidence evidence;
  evidence.grade = grade_of_files({&baseline, &candidate});
  evidence.policy = policy;
  // The candidate has no say in what is judged.
  evidence.unknown_metrics = baseline.unknown_metrics;
  evidence.baseline = rows_of(baseline);
  evidence.candidate = rows_of(candidate);
  refuse_swapped_arms(baseline, candidate);
  if (launches == Launches::kOwn) refuse_shared_rounds(baseline, candidate);
  evidence.policy.cases = gating_rules(baseline, policy);
  add_imported_faults(baseline, 0, evidence.faults);
  add_imported_faults(candidate, 1, evidence.faults);
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
      evidence.unstated.push_back(
          fmt::format("{}: {} is {}", session->arms.front().label, field, state));
    }
    for (const CaseInfo& info : session->cases) {
      for (const std::string& metric : info.aggregates) {
        evidence.aggregates.push_back(info.name + " " + metric);
      }
    }
  }
  keep_filtered(policy.filter, evidence);
  return evidence;
}

const std::vector<std::string>& imported_reasons() {
  static const std::vector<std::string> reasons = {"model_mismatch", "mode_mismatch",
                                                   "token_budget_mismatch", "environment_mismatch"};
  return reasons;
}

}  // namespace perfgate::inline verdict
