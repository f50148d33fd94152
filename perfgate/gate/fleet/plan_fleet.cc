// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "perfgate/base/os/entropy.h"
#include "perfgate/gate/fleet/fleet.h"
#include "perfgate/layouts/layout_folder.h"
#include "perfgate/verdict/fleet/split.h"

namespace perfgate::gate {
namespace {

void RequireExecutables(const FleetRequest& request) {
  if (request.baseline.empty() || request.candidate.empty()) {
    throw Error(Exit::kUsage, "a fleet compares two executables: give --baseline and --candidate");
  }
  for (const std::string& path : {request.baseline, request.candidate}) {
    if (!layouts::NamesLayouts(path)) continue;
    throw Error(Exit::kUsage, path +
                                  " is a folder of layouts, and jobs of a fleet measure one link "
                                  "of each arm: give the executable");
  }
}

// What keeps an arm from being listed.
void RequireListed(const Session& listed) {
  for (const Fault& fault : listed.faults) {
    if (fault.kind == FaultKind::kAbsent || fault.kind == FaultKind::kOtherWorkload) continue;
    throw Error(fault.arm == 1 ? Exit::kFailed : Exit::kNotComparable,
                listed.arms.at(static_cast<std::size_t>(fault.arm)).label +
                    " cannot be listed: " + fault.detail);
  }
  if (listed.cases.empty()) {
    throw Error(Exit::kNotComparable, "neither executable has a case that is asked for");
  }
}

}  // namespace

FleetPlan PlanFleet(const FleetRequest& request, GateDisplay& display) {
  RequireExecutables(request);
  FleetPlan fleet;
  fleet.policy = ResolvePolicy(request.measure.policy, request.default_policy);
  if (fleet.policy.rounds == 0) fleet.policy.rounds = kFleetRounds;
  for (const stats::Look& look : LooksOfFleet(fleet.policy)) {
    fleet.looks.push_back(look.rounds);
    fleet.look_alpha.push_back(look.alpha);
  }
  std::vector<measure::ArmPlan> arms;
  arms.push_back(ExecutableArm(request.measure, "baseline", request.baseline));
  arms.push_back(ExecutableArm(request.measure, "candidate", request.candidate));
  if (arms[0].executable.digest == arms[1].executable.digest) {
    throw Error(Exit::kUsage,
                "baseline and candidate are one executable; there is nothing to measure");
  }
  measure::MeasurePlan plan =
      PlanMeasurement(request.measure, fleet.policy, std::move(arms), OverLayouts::kNo);
  plan.list_only = true;
  const Session listed = measure::Measure(plan, HooksOf(FixedRounds(1), display));
  RequireListed(listed);
  fleet.id = fmt::format("{:016x}{:016x}", system_entropy(), system_entropy());
  fleet.tool = plan.tool;
  fleet.suite = request.measure.suite;
  fleet.jobs = request.jobs;
  for (const ArmInfo& arm : listed.arms) {
    fleet.arms.push_back({arm.label, arm.path, arm.digest});
  }
  for (const CaseInfo& info : listed.cases) {
    const auto known = request.round_s.find(info.name);
    fleet.cases.push_back({info.name, 1, known == request.round_s.end() ? 0 : known->second});
  }
  SplitCases(fleet.jobs, fleet.cases);
  return fleet;
}

}  // namespace perfgate::gate
