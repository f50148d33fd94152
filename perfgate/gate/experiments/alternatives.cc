// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/alternatives.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/text/join.h"
#include "perfgate/gate/experiments/arm_labels.h"
#include "perfgate/measure/listing.h"
#include "perfgate/stats/inference/simultaneous.h"
#include "perfgate/verdict/alternatives/alternatives.h"
#include "perfgate/verdict/alternatives/case_keys.h"
#include "perfgate/verdict/alternatives/standings.h"
#include "perfgate/verdict/gate/look_plan.h"

namespace perfgate::gate {
namespace {

constexpr std::string_view kMost = "at most 8 alternatives can be compared at once";

// Cases stay in the session until its end, so all rounds cost as much as the first.
Policy PolicyOf(const AlternativesRequest& request) {
  Policy defaults;
  defaults.tolerance = 0;
  Policy policy = ResolvePolicy(request.measure.policy, defaults);
  return request.command.is_asked ? PolicyOfCommands(std::move(policy)) : policy;
}

void RequireAlternatives(const AlternativesRequest& request) {
  const std::size_t count = request.alternatives.size();
  if (!request.by.empty()) {
    if (request.command.is_asked) {
      throw Error(Exit::kUsage, "--by compares cases of an executable; a command line has none");
    }
    if (count != 1) {
      throw Error(Exit::kUsage,
                  "--by compares cases of one executable; " + std::to_string(count) + " are given");
    }
    return;
  }
  if (count < 2) {
    throw Error(Exit::kUsage,
                "one alternative alone compares with nothing; name two or more executables, or a "
                "key in the names of its cases with --by KEY, or write each command line as one "
                "word behind --command --");
  }
  if (count > kMostAlternatives) throw Error(Exit::kUsage, std::string(kMost));
}

void RequireDifferentFiles(const AlternativesRequest& request) {
  std::set<std::string> seen;
  for (const Alternative& one : request.alternatives) {
    std::error_code ignored;
    const std::string file = std::filesystem::weakly_canonical(one.executable, ignored).string();
    if (seen.insert(file).second || request.aa) continue;
    throw Error(Exit::kUsage, one.executable +
                                  " is given twice: identical alternatives differ by noise alone; "
                                  "--aa measures that");
  }
}

std::vector<std::string> DifferentLabels(const AlternativesRequest& request) {
  std::vector<std::string> names;
  for (const Alternative& one : request.alternatives) names.push_back(one.executable);
  std::vector<std::string> labels =
      request.command.is_asked ? LinesAsLabels(names) : LabelsOf(names);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!request.alternatives[i].label.empty()) labels[i] = request.alternatives[i].label;
    if (!seen.insert(labels[i]).second) {
      throw Error(Exit::kUsage, "two alternatives are called '" + labels[i] +
                                    "'; give each a label of its own: NAME=PATH");
    }
  }
  return labels;
}

std::vector<measure::ArmPlan> ArmsOfExecutables(const AlternativesRequest& request) {
  RequireDifferentFiles(request);
  const std::vector<std::string> labels = DifferentLabels(request);
  std::vector<measure::ArmPlan> arms;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    arms.push_back(ExecutableArm(request.measure, labels[i], request.alternatives[i].executable));
  }
  return arms;
}

std::vector<measure::ArmPlan> ArmsOfCommands(const AlternativesRequest& request) {
  const std::vector<std::string> labels = DifferentLabels(request);
  std::vector<measure::ArmPlan> arms;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    arms.push_back(CommandArm(labels[i], request.alternatives[i].executable, request.command));
  }
  return arms;
}

// The names of the executable's cases that the filter leaves. Error where it cannot be listed.
std::vector<std::string> NamesOf(const AlternativesRequest& request, const Policy& policy,
                                 const measure::ArmPlan& arm, GateDisplay& display) {
  measure::MeasurePlan plan = PlanMeasurement(request.measure, policy, {arm}, OverLayouts::kNo);
  plan.list_only = true;
  const Decider nothing = FixedRounds(0);
  const Session listed = measure::Measure(plan, HooksOf(nothing, display));
  for (const Fault& fault : listed.faults) {
    throw Error(Exit::kFailed, arm.executable.path + " cannot be listed: " + fault.detail);
  }
  std::vector<std::string> names;
  names.reserve(listed.cases.size());
  for (const CaseInfo& info : listed.cases) names.push_back(info.name);
  return names;
}

// An arm that shows the cases with one value of the key under their names without it.
measure::ArmPlan ArmOfValue(const measure::ArmPlan& whole, const std::string& key,
                            const std::string& value, const std::set<std::string>& wanted) {
  measure::ArmPlan arm = whole;
  arm.label = value;
  arm.view = [key, value, wanted](const measure::Listing& listing) {
    std::vector<measure::ShownCase> shown;
    for (std::size_t id = 0; id < listing.cases.size(); ++id) {
      const std::string& name = listing.cases[id].name;
      const auto keyed = SplitByKey(name, key);
      if (keyed && keyed->value == value && wanted.contains(name))
        shown.push_back({keyed->name, id});
    }
    return shown;
  };
  return arm;
}

// policy: its filter chooses among the executable's own names, and no longer among those shown.
std::vector<measure::ArmPlan> ArmsOfKey(const AlternativesRequest& request, Policy& policy,
                                        std::vector<std::string>& warnings, GateDisplay& display) {
  const std::string& file = request.alternatives.front().executable;
  const measure::ArmPlan whole = ExecutableArm(request.measure, file, file);
  const std::vector<std::string> names = NamesOf(request, policy, whole, display);
  const std::vector<std::string> values = ValuesOfKey(names, request.by);
  if (values.size() < 2) {
    throw Error(Exit::kUsage,
                values.empty()
                    ? "--by " + request.by + ": no case has a part '" + request.by + ":...' or '" +
                          request.by + "<...>'; --benchmark_list_tests shows the names"
                    : "--by " + request.by + ": all cases have the value '" + values.front() +
                          "', and one alternative alone compares with nothing");
  }
  if (values.size() > kMostAlternatives) {
    throw Error(Exit::kUsage, "--by " + request.by + ": " + std::to_string(values.size()) +
                                  " values (" + Join(values) + "), and " + std::string(kMost) +
                                  "; choose some with --filter");
  }
  const std::set<std::string> wanted(names.begin(), names.end());
  std::vector<measure::ArmPlan> arms;
  for (const std::string& value : values) {
    arms.push_back(ArmOfValue(whole, request.by, value, wanted));
  }
  if (!policy.filter.empty()) {
    warnings.push_back("--filter '" + policy.filter + "' chose the cases by their whole names");
    policy.filter.clear();
  }
  return arms;
}

AlternativesQuestion QuestionOf(const AlternativesRequest& request,
                                const std::vector<measure::ArmPlan>& arms) {
  AlternativesQuestion question{.by = request.by,
                                .only_reference = !request.reference.empty(),
                                .family = request.family,
                                .series_key = request.series,
                                .metric = request.metric,
                                .identical_is_meant = request.aa || !request.by.empty()};
  if (request.reference.empty()) return question;
  std::vector<std::string> labels;
  for (const measure::ArmPlan& arm : arms) labels.push_back(arm.label);
  const auto found = std::find(labels.begin(), labels.end(), request.reference);
  if (found == labels.end()) {
    throw Error(Exit::kUsage, "--reference " + request.reference +
                                  " is none of the alternatives: " + Join(labels));
  }
  question.reference = static_cast<std::size_t>(found - labels.begin());
  return question;
}

bool AreSame(const std::vector<measure::ArmPlan>& arms) {
  std::set<std::string> digests;
  for (const measure::ArmPlan& arm : arms) digests.insert(arm.executable.digest);
  return digests.size() < arms.size();
}

// Before anything is measured, when all names are known.
void RequireSizes(const Session& session, const std::string& key) {
  const bool has_any = std::any_of(session.cases.begin(), session.cases.end(), [&](const auto& c) {
    return SplitBySize(c.name, key).has_value();
  });
  if (key.empty() || has_any || session.cases.empty()) return;
  throw Error(Exit::kUsage, "--series " + key + ": no case has " +
                                (key == kLastNumber ? std::string("a part that is a number")
                                                    : "a part '" + key + ":' and a number") +
                                "; the first is called " + session.cases.front().name);
}

// One look, at the end.
void PlanTheLook(const AlternativesQuestion& question, Session& session, double left_s,
                 GateDisplay& display) {
  RequireSizes(session, question.series_key);
  if (!session.cases.empty()) compared_metric(session, question.metric);
  const int rounds = affordable_rounds(session.policy, session.schedule.round_s, left_s);
  session.schedule.looks = {std::max(1, rounds)};
  session.schedule.look_alpha = {0.0};
  const int needed = stats::rounds_for_simultaneous(
      comparisons_in_family(session.arms.size(), session.cases.size(), question),
      kFamilyConfidence);
  if (rounds >= needed) return;
  Warn("intervals that hold together with 95 % need " + std::to_string(needed) + " rounds, and " +
           std::to_string(std::max(1, rounds)) +
           " are planned: the ranks may stay open. Raise --rounds or --budget, narrow --filter, or "
           "ask with --family case",
       session, display);
}

}  // namespace

AlternativesResult RunAlternatives(const AlternativesRequest& request, GateDisplay& display) {
  RequireAlternatives(request);
  Policy policy = PolicyOf(request);
  std::vector<std::string> warnings;
  std::vector<measure::ArmPlan> arms = request.command.is_asked ? ArmsOfCommands(request)
                                       : request.by.empty()
                                           ? ArmsOfExecutables(request)
                                           : ArmsOfKey(request, policy, warnings, display);
  const AlternativesQuestion question = QuestionOf(request, arms);
  const bool same = !question.identical_is_meant && AreSame(arms);
  measure::MeasurePlan plan = PlanMeasurement(request.measure, std::move(policy), std::move(arms));
  plan.optional_arm = measure::kEveryArm;
  plan.warnings = std::move(warnings);
  plan.list_only = same;  // what cannot differ is not measured
  const Decider decider = {
      [&](Session& session, double left_s) { PlanTheLook(question, session, left_s, display); },
      [](const Session& session) { return std::vector<bool>(session.cases.size(), false); }};
  std::optional<CommandSurroundings> surroundings;
  if (request.command.is_asked && !same) surroundings.emplace(request.command);
  AlternativesResult result;
  result.session = measure::Measure(plan, HooksOf(decider, display));
  KeepSession(request.measure, result.session);
  result.verdict = decide_alternatives(result.session, question);
  return result;
}

}  // namespace perfgate::gate
