// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <utility>

#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/fleet/fleet.h"
#include "perfgate/verdict/fleet/merge.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/gate/unchanged_code.h"

namespace perfgate::gate {
namespace {

// The plan's executables; empty where one is not here any more, or is another one.
std::vector<measure::ArmPlan> ArmsHere(const FleetPlan& fleet, const MeasureRequest& request) {
  std::vector<measure::ArmPlan> arms;
  for (const FleetArm& arm : fleet.arms) {
    if (!std::filesystem::is_regular_file(arm.path)) return {};
    arms.push_back(ExecutableArm(request, arm.label, arm.path));
    if (arms.back().executable.digest != arm.digest) return {};
  }
  return arms;
}

void ExplainMerged(const FleetPlan& fleet, const MergeRequest& request, Session& merged,
                   GateDisplay& display) {
  if (request.hot_code == HotCodeUse::kOff || merged.rounds.empty()) return;
  if (request.hot_code == HotCodeUse::kNamed && CasesToExplain(merged, decide(merged)).empty()) {
    return;
  }
  std::vector<measure::ArmPlan> arms = ArmsHere(fleet, request.measure);
  if (arms.empty()) {
    Warn(
        "the plan's executables are not here, so nobody looked whether the cases that are named "
        "run other code; merge where they are, or say --hot-code off",
        merged, display);
    return;
  }
  const measure::MeasurePlan plan =
      PlanMeasurement(request.measure, fleet.policy, std::move(arms), OverLayouts::kNo);
  ExplainCases(plan, request.hot_code, merged, display);
}

}  // namespace

GateResult MergeFleet(const MergeRequest& request, GateDisplay& display) {
  const FleetPlan fleet = read_fleet(request.plan);
  std::vector<JobSession> jobs;
  for (const std::string& file : request.sessions) {
    jobs.push_back({file, read_session(file, request.measure.signer())});
  }
  Session merged = MergeJobs(fleet, jobs);
  ExplainMerged(fleet, request, merged, display);
  KeepSession(request.measure, merged);
  SuiteVerdict verdict = decide(merged);
  const Exit exit = verdict.exit;
  return {std::move(verdict), std::move(merged), exit};
}

}  // namespace perfgate::gate
