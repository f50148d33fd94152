// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/parity.h"

#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/policy_check.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/parity/parity_files.h"
#include "perfgate/verdict/parity/parity_verdict.h"

namespace perfgate::gate {
namespace {

constexpr int kBaseline = 0;
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

measure::MeasurePlan PlanArms(const ParityRequest& request,
                              const std::array<std::string, 3>& paths) {
  Policy policy = ParityPolicy(request);
  bool identical = false;
  std::vector<measure::ArmPlan> arms;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    arms.push_back(ExecutableArm(request.measure, std::string(kParityArms[i]), paths[i]));
    arms[i].arguments = request.arguments;
    for (std::size_t j = 0; j < i; ++j) {
      identical |= arms[i].executable.digest == arms[j].executable.digest;
    }
  }
  measure::MeasurePlan plan = PlanMeasurement(request.measure, std::move(policy), std::move(arms));
  plan.optional_arm = kBaseline;
  plan.list_only = identical;  // what cannot differ is not measured
  return plan;
}

// Looks without alpha: at each of them a pair is settled by its interval or stays open.
void PlanParityLooks(Session& session, double left_s, GateDisplay& display) {
  if (build_mismatch(session.arms[1], session.arms[2])) return;  // nothing to measure
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

ParityResult CompareFiles(const ParityRequest& request, const std::array<std::string, 3>& paths) {
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
  RequireForeign(request.metrics, {paths[0], paths[1], paths[2]});
  const MetricRegistry registry = read_metrics(request.metrics);
  const Policy policy = ParityPolicy(request);
  std::array<Session, 3> sessions;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    sessions[i] =
        ReadResults(paths[i], std::string(kParityArms[i]), request.measure.suite, policy, registry);
  }
  return {decide_parity_files(sessions, policy, request.primary, request.allow), std::nullopt};
}

}  // namespace

ParityResult RunParity(const ParityRequest& request, GateDisplay& display) {
  const std::array<std::string, 3> paths = {request.baseline, request.human, request.agent};
  if (NamesResults(paths[0]) || NamesResults(paths[1]) || NamesResults(paths[2])) {
    return CompareFiles(request, paths);
  }
  if (!request.metrics.empty() || !request.allow.empty()) {
    throw Error(Exit::kUsage, "--metrics and --allow belong to three files of results");
  }
  const Decider decider = {
      [&](Session& session, double left_s) { PlanParityLooks(session, left_s, display); },
      [&](const Session& session) { return open_parity_cases(session, request.primary); }};
  Session session = measure::Measure(PlanArms(request, paths), HooksOf(decider, display));
  KeepSession(request.measure, session);
  ParityVerdict verdict = decide_parity(session, request.primary);
  return {std::move(verdict), std::move(session)};
}

ParityResult JudgeParity(const std::string& session_file, const std::string& primary) {
  return {decide_parity(read_session(session_file), primary), std::nullopt};
}

}  // namespace perfgate::gate
