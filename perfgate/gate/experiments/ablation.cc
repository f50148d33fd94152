// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/ablation.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/gate/exits.h"
#include "perfgate/measure/listing.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/verdict/ablation/toggles.h"
#include "perfgate/verdict/gate/look_plan.h"

namespace perfgate::gate {
namespace {

enum class Side { kWithout, kWith };

// The cases of one side of every toggle. toggles: filled when the executable has been listed.
std::function<std::vector<measure::ShownCase>(const measure::Listing&)> CasesOf(
    Side side, const std::vector<std::string>& keys, std::vector<Toggle>& toggles) {
  return [side, keys, &toggles](const measure::Listing& listing) {
    std::vector<std::string> names;
    names.reserve(listing.cases.size());
    for (const CaseInfo& info : listing.cases) names.push_back(info.name);
    // An executable that cannot be listed has a fault that says so.
    if (!names.empty()) toggles = find_toggles(names, keys);
    std::vector<measure::ShownCase> shown;
    shown.reserve(toggles.size());
    for (const Toggle& toggle : toggles) {
      shown.push_back({toggle.name, side == Side::kWith ? toggle.after : toggle.before});
    }
    return shown;
  };
}

measure::MeasurePlan PlanAblation(const AblationRequest& request, std::vector<Toggle>& toggles) {
  Policy policy = ResolvePolicy(request.measure.policy);
  measure::ArmPlan without = ExecutableArm(request.measure, "without", request.executable);
  if (!without.executable.speaks_protocol) {
    throw Error(Exit::kUsage, request.executable +
                                  ": an ablation needs an executable that links perfgate::main, "
                                  "which can run one case as several");
  }
  without.view = CasesOf(Side::kWithout, request.keys, toggles);
  measure::ArmPlan with = {"with", without.executable, CasesOf(Side::kWith, request.keys, toggles)};
  measure::MeasurePlan plan =
      PlanMeasurement(request.measure, std::move(policy), {std::move(without), std::move(with)});
  plan.launch_of = [&toggles](const std::string& name) {
    const auto toggle = std::find_if(toggles.begin(), toggles.end(),
                                     [&](const Toggle& one) { return one.name == name; });
    if (toggle == toggles.end()) throw std::logic_error("no toggle is called " + name);
    return toggle->option;
  };
  return plan;
}

void PlanAblationLooks(Session& session, double left_s, GateDisplay& display) {
  const int rounds = affordable_rounds(session.policy, session.schedule.round_s, left_s);
  const std::vector<stats::Look> looks = looks_within(session.policy, rounds);
  ScheduleLooks(looks, 0, session);
  if (stats::can_fail(looks)) return;
  Warn(
      "so few rounds cannot show that an option is worse or better, which by default takes 10; "
      "raise --rounds or --budget, or narrow --filter",
      session, display);
}

}  // namespace

AblationResult RunAblation(const AblationRequest& request, GateDisplay& display) {
  std::vector<Toggle> toggles;
  const measure::MeasurePlan plan = PlanAblation(request, toggles);
  const Decider decider = {
      [&](Session& session, double left_s) { PlanAblationLooks(session, left_s, display); },
      [](const Session& session) { return open_ablation_cases(session); }};
  AblationResult result;
  result.session = measure::Measure(plan, HooksOf(decider, display));
  KeepSession(request.measure, result.session);
  result.ablation = decide_ablation(result.session, toggles);
  result.exit = ExitOfAblation(result.ablation);
  return result;
}

}  // namespace perfgate::gate
