// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/session_facts.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "perfgate/base/text/join.h"
#include "perfgate/evidence/conditions.h"
#include "perfgate/report/parts/noise_text.h"

namespace perfgate::report {
namespace {

std::string fault_text(const Session& session, const Fault& fault) {
  std::string text;
  if (fault.case_index < session.cases.size()) {
    text = session.cases[fault.case_index].name + ", ";
  }
  text += session.arms[static_cast<std::size_t>(fault.arm)].label;
  if (!fault.metric.empty()) text += ", " + fault.metric;
  if (fault.round >= 0) text += ", round " + std::to_string(fault.round);
  text += ": " + std::string(to_string(fault.kind));
  if (!fault.detail.empty()) text += ": " + fault.detail;
  return text;
}

// What stands for the machine and the schedule where perfgate did not measure.
std::vector<Fact> import_facts(const Session& session) {
  std::vector<Fact> facts;
  std::set<std::string> programs;
  for (const Origin& origin : session.origins) {
    programs.insert(origin.version.empty() ? origin.format : origin.format + " " + origin.version);
  }
  facts.push_back({"Imported", counted(session.rounds.size(), "round") + " from " +
                                   counted(session.origins.size(), "file") + " (" + Join(programs) +
                                   "); grade " + session.grade});
  std::set<std::string> averaged;
  for (const CaseInfo& info : session.cases) {
    averaged.insert(info.aggregates.begin(), info.aggregates.end());
  }
  if (!averaged.empty()) {
    facts.push_back({"Averaged", Join(averaged) +
                                     ": the tool's own figures, without samples; no claim rests "
                                     "on them"});
  }
  return facts;
}

// "environment.gpu_clocks is pending, workload.seed is missing"
std::string unstated_text(const std::vector<NamedValue>& unstated) {
  std::string text;
  for (const auto& [field, state] : unstated) {
    AppendItem(text, fmt::format("{} is {}", field, state));
  }
  return text;
}

std::vector<Fact> measuring_facts(const Session& session) {
  std::vector<Fact> facts = {machine_fact(session.machine)};
  const std::vector<int> cpus =
      session.rounds.empty() ? std::vector<int>() : session.rounds.back().cpus;
  if (!session.rounds.empty()) facts.push_back(core_fact(cpus, typical_conditions(session)));
  facts.push_back({"Measured", measured_text(static_cast<int>(session.rounds.size()),
                                             session.wall_s, session.timed_s)});
  if (!session.parts.empty()) {
    facts.push_back(jobs_fact(static_cast<int>(session.parts.size())));
  } else if (!session.rounds.empty()) {
    facts.push_back(replay_fact(session.schedule));
  }
  return facts;
}

}  // namespace

std::vector<Fact> session_facts(const Session& session) {
  std::vector<Fact> facts = arm_facts(session.arms);
  for (Fact& fact : session.origins.empty() ? measuring_facts(session) : import_facts(session)) {
    facts.push_back(std::move(fact));
  }
  if (!session.unstated.empty()) {
    facts.push_back({"Unstated", unstated_text(session.unstated) + ": no claim rests on it"});
  }
  if (!session.unknown_metrics.empty()) {
    const std::set<std::string> names(session.unknown_metrics.begin(),
                                      session.unknown_metrics.end());
    facts.push_back({"Unknown", Join(names) + ": unknown_metric, shown and never judged; " +
                                    "--metrics says what a name means"});
  }
  if (!session.complete) {
    facts.push_back(
        {"Warning", "partial: " + (session.incomplete_reason.empty() ? std::string("interrupted")
                                                                     : session.incomplete_reason)});
  }
  for (const Fault& fault : session.faults) {
    facts.push_back({"Fault", fault_text(session, fault)});
  }
  std::set<std::string_view> seen;
  for (const std::string& warning : session.warnings) {
    if (seen.insert(warning).second) facts.push_back({"Warning", warning});
  }
  for (const std::string& text : session.policy.overrides) facts.push_back({"Override", text});
  return facts;
}

}  // namespace perfgate::report
