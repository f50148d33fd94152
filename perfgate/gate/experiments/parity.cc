// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/parity.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/policy_check.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/arms.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/parity/parity_agents.h"
#include "perfgate/verdict/parity/parity_files.h"

namespace perfgate::gate {
namespace {

constexpr double kDefaultMargin = 0.05;

// The policy's tolerance is the margin.
Policy ParityPolicy(const ParityRequest& request) {
  Policy defaults;
  defaults.tolerance = kDefaultMargin;
  Policy policy = ResolvePolicy(request.measure.policy, defaults);
  if (request.margin) {
    OverrideValue("margin", *request.margin, policy.tolerance, policy);
    validate(policy);
  }
  if (policy.tolerance <= 0) throw Error(Exit::kUsage, "the margin must be above 0");
  return policy;
}

// The labels of all arms.
std::vector<std::string> LabelsOfArms(const ParityRequest& request) {
  if (request.agents.empty()) throw Error(Exit::kUsage, "no agent is given to be judged");
  if (request.agents.size() > kMostAgents) {
    throw Error(Exit::kUsage, std::to_string(request.agents.size()) +
                                  " agents are given; at most " + std::to_string(kMostAgents) +
                                  " can be measured in one session");
  }
  std::vector<std::string> labels = {std::string(kParityArms[kBaseline]),
                                     std::string(kParityArms[kHuman])};
  std::set<std::string> seen(labels.begin(), labels.end());
  for (std::size_t i = 0; i < request.agents.size(); ++i) {
    const std::string number = i == 0 ? "" : std::to_string(i + 1);
    const std::string& given = request.agents[i].label;
    labels.push_back(given.empty() ? std::string(kParityArms[kAgent]) + number : given);
    if (seen.insert(labels.back()).second) continue;
    throw Error(Exit::kUsage, "two arms are called '" + labels.back() +
                                  "'; give each agent a label of its own: --agent NAME=PATH");
  }
  return labels;
}

std::vector<std::string> PathsOfArms(const ParityRequest& request) {
  std::vector<std::string> paths = {request.baseline, request.human};
  for (const AgentArm& agent : request.agents) paths.push_back(agent.path);
  return paths;
}

std::vector<measure::ArmPlan> ArmsOfParity(const ParityRequest& request) {
  const std::vector<std::string> labels = LabelsOfArms(request);
  const std::vector<std::string> paths = PathsOfArms(request);
  std::vector<measure::ArmPlan> arms;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (i == kBaseline && !request.no_baseline.empty()) {
      arms.push_back({.label = labels[i], .executable = {}, .absent = request.no_baseline});
      continue;
    }
    arms.push_back(ExecutableArm(request.measure, labels[i], paths[i]));
    arms.back().arguments = request.arguments;
  }
  return arms;
}

bool AreOne(const measure::ArmPlan& a, const measure::ArmPlan& b) {
  return a.executable.digest == b.executable.digest;
}

// What cannot differ is not measured: an agent's executable that is the human's or the baseline's
// too. True: nobody is left.
bool LeaveOutCopies(std::vector<measure::ArmPlan>& arms) {
  if (AreOne(arms[kBaseline], arms[kHuman])) return true;
  for (std::size_t i = kAgent; i < arms.size(); ++i) {
    arms[i].only_listed = AreOne(arms[i], arms[kBaseline]) || AreOne(arms[i], arms[kHuman]);
  }
  return std::all_of(arms.begin() + kAgent, arms.end(),
                     [](const measure::ArmPlan& arm) { return arm.only_listed; });
}

std::vector<std::string> WarningsOfCopies(const std::vector<measure::ArmPlan>& arms) {
  std::vector<std::string> warnings;
  for (std::size_t i = kAgent; i < arms.size(); ++i) {
    for (std::size_t j = kAgent; j < i; ++j) {
      if (!AreOne(arms[i], arms[j])) continue;
      warnings.push_back(arms[j].label + " and " + arms[i].label +
                         " are one executable: their verdicts are one result, measured twice");
      break;
    }
  }
  return warnings;
}

measure::MeasurePlan PlanArms(const ParityRequest& request) {
  Policy policy = ParityPolicy(request);
  std::vector<measure::ArmPlan> arms = ArmsOfParity(request);
  const bool nothing_differs = LeaveOutCopies(arms);
  std::vector<std::string> warnings = WarningsOfCopies(arms);
  measure::MeasurePlan plan = PlanMeasurement(request.measure, std::move(policy), std::move(arms));
  plan.optional_arm = kBaseline;
  // The only agent's failure ends its case.
  for (std::size_t i = 0; request.agents.size() > 1 && i < request.agents.size(); ++i) {
    plan.any_of.push_back(kAgent + static_cast<int>(i));
  }
  plan.warnings = std::move(warnings);
  plan.list_only = nothing_differs;
  return plan;
}

// Looks without alpha: at each of them a pair is settled by its interval or stays open.
void PlanParityLooks(Session& session, double left_s, GateDisplay& display) {
  const ArmInfo& human = session.arms[kHuman];
  const bool nothing_to_measure =
      std::all_of(session.arms.begin() + kAgent, session.arms.end(),
                  [&](const ArmInfo& agent) { return build_mismatch(human, agent).has_value(); });
  if (nothing_to_measure) return;
  const Policy& policy = session.policy;
  const int rounds = affordable_rounds(policy, session.schedule.round_s, left_s);
  std::vector<stats::Look> looks = looks_within(policy, rounds);
  for (stats::Look& look : looks) look.alpha = 0;
  ScheduleLooks(looks, 0, session);
  if (looks.empty() || looks.back().rounds < stats::kMinimumRounds) {
    Warn("fewer than 6 rounds decide nothing; raise --rounds or --budget, or narrow --filter",
         session, display);
  }
}

ParityResult ResultOf(ParityAgents agents, std::optional<Session> session) {
  ParityResult result;
  result.verdict = agents.verdicts.at(0);
  result.verdicts = std::move(agents.verdicts);
  result.together = std::move(agents.together);
  result.session = std::move(session);
  return result;
}

void RequireFilesOfResults(const ParityRequest& request, const std::vector<std::string>& paths) {
  if (!request.measure.session.empty()) {
    throw Error(Exit::kUsage,
                "--session keeps what is measured; files of results are measured already");
  }
  for (const std::string& path : paths) {
    if (NamesResults(path)) continue;
    throw Error(Exit::kUsage, path +
                                  ": results can only be compared with results: give three "
                                  "executables, or three files that `perfgate import` reads");
  }
  RequireForeign(request.metrics, paths);
}

ParityResult CompareFiles(const ParityRequest& request) {
  const std::vector<std::string> labels = LabelsOfArms(request);
  const std::vector<std::string> paths = PathsOfArms(request);
  RequireFilesOfResults(request, paths);
  const MetricRegistry registry = read_metrics(request.metrics);
  const Policy policy = ParityPolicy(request);
  const auto read = [&](std::size_t i) {
    return ReadResults(paths[i], labels[i], request.measure.suite, policy, registry);
  };
  ParityAgents agents;
  std::array<Session, 3> sessions = {read(kBaseline), read(kHuman), Session{}};
  for (std::size_t i = kAgent; i < paths.size(); ++i) {
    sessions[kAgent] = read(i);
    agents.verdicts.push_back(
        decide_parity_files(sessions, policy, request.primary, request.allow, labels[i]));
  }
  agents.together = TogetherOf(agents.verdicts);
  return ResultOf(std::move(agents), std::nullopt);
}

}  // namespace

ParityResult RunParity(const ParityRequest& request, GateDisplay& display) {
  const std::vector<std::string> paths = PathsOfArms(request);
  if (std::any_of(paths.begin(), paths.end(), NamesResults)) return CompareFiles(request);
  if (!request.metrics.empty() || !request.allow.empty()) {
    throw Error(Exit::kUsage, "--metrics and --allow belong to three files of results");
  }
  const Decider decider = {
      [&](Session& session, double left_s) { PlanParityLooks(session, left_s, display); },
      [&](const Session& session) { return OpenCasesOfAgents(session, request.primary); }};
  Session session = measure::Measure(PlanArms(request), HooksOf(decider, display));
  KeepSession(request.measure, session);
  ParityAgents agents = DecideParityAgents(session, request.primary);
  return ResultOf(std::move(agents), std::move(session));
}

ParityResult JudgeParity(const std::string& session_file, const std::string& primary) {
  return ResultOf(DecideParityAgents(read_session(session_file), primary), std::nullopt);
}

}  // namespace perfgate::gate
