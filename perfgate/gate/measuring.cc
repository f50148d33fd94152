// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/measuring.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/layouts.h"
#include "perfgate/layouts/layout_folder.h"
#include "perfgate/measure/driver/preload.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/isolation/find_abilities.h"
#include "perfgate/measure/isolation/isolation.h"
#include "perfgate/measure/isolation/sandbox.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/gate/round_plan.h"

namespace perfgate::gate {

namespace {

// An executable is asked for its libraries before it is measured.
measure::Inspection InspectionOf(const measure::IsolationRequest& isolation,
                                 const std::string& path) {
  if (isolation.use == measure::IsolationUse::kNone) return {};
  // The accepted executable lies in the cache, which is hidden from the candidate.
  std::vector<std::string> hidden = isolation.hidden;
  const std::string file = std::filesystem::absolute(path).lexically_normal().string();
  std::erase_if(hidden, [&](const std::string& folder) {
    return file.starts_with(std::filesystem::absolute(folder).lexically_normal().string() + "/");
  });
  return {.loader = measure::ReadOnlyWrapper(measure::KnownAbilities(), hidden),
          .is_strangers = true};
}

}  // namespace

measure::ArmPlan ExecutableArm(const MeasureRequest& request, const std::string& label,
                               const std::string& path) {
  const measure::Inspection how = InspectionOf(request.isolation, path);
  if (!layouts::NamesLayouts(path)) return {label, measure::inspect_executable(path, how)};
  const layouts::LayoutFolder folder = layouts::OpenLayouts(path);
  measure::ArmPlan arm{label,
                       measure::inspect_executable(folder.FileOf(folder.set.layouts.front()), how)};
  arm.layouts_folder = path;
  return arm;
}

namespace {

Linking LinkingOf(const MeasureRequest& request) {
  return request.isolation.use == measure::IsolationUse::kNone ? Linking::kAsNeeded
                                                               : Linking::kNever;
}

void RefuseIsolatedCommands(const measure::MeasurePlan& plan) {
  for (const measure::ArmPlan& arm : plan.arms) {
    if (!arm.command) continue;
    throw Error(Exit::kUsage,
                "--isolate shows an arm its own executable and nothing else, and a command line "
                "may start any program: gate an executable, or drop --isolate");
  }
}

}  // namespace

measure::MeasurePlan PlanMeasurement(const MeasureRequest& request, Policy policy,
                                     std::vector<measure::ArmPlan> arms, OverLayouts over) {
  measure::MeasurePlan plan;
  plan.arms = std::move(arms);
  if (over == OverLayouts::kYes && policy.layouts != LayoutUse::kOff) {
    for (measure::ArmPlan& arm : plan.arms) AddLayouts({}, LinkingOf(request), arm);
  }
  plan.policy = std::move(policy);
  plan.seed = request.seed;
  plan.cpus = request.cpus;
  plan.suite = request.suite;
  plan.memory_bytes = request.memory_bytes;
  if (request.preload) plan.worker_shim = measure::FindWorkerShim();
  if (request.isolation.use != measure::IsolationUse::kNone) {
    RefuseIsolatedCommands(plan);
    plan.isolation =
        std::make_shared<measure::Isolation>(measure::KnownAbilities(), request.isolation);
  }
  plan.tool = "perfgate " PERFGATE_VERSION;
  return plan;
}

namespace {

// The verdict names the cases that the budget did not reach, and builds that cannot be compared.
bool SaysMoreThanABudget(const Session& session) {
  return (session.arms.size() > 1 && build_mismatch(session.arms[0], session.arms[1])) ||
         std::any_of(session.faults.begin(), session.faults.end(),
                     [](const Fault& fault) { return fault.kind == FaultKind::kUnmeasured; });
}

}  // namespace

Decider FixedRounds(int rounds) {
  return {
      .plan_looks =
          [rounds](Session& session, double) {
            session.schedule.looks = {rounds};
            session.schedule.look_alpha = {0.0};
          },
      .open_cases =
          [](const Session& session) { return std::vector<bool>(session.cases.size(), false); }};
}

measure::Hooks HooksOf(const Decider& decider, GateDisplay& display) {
  measure::Hooks hooks;
  hooks.plan_rounds = [&decider](Session& session, double spent_s) {
    RoundPlan plan = plan_rounds(session, spent_s, decider.fits_rounds);
    if (decider.fits_rounds && !SaysMoreThanABudget(session) && !plan.shortage.empty()) {
      throw Error(Exit::kInconclusive, plan.shortage);
    }
    session.cases = std::move(plan.cases);
    session.schedule.budget_s = plan.budget_s;
    session.schedule.plan = decider.fits_rounds ? plan.text : "";
  };
  hooks.plan_looks = decider.plan_looks;
  hooks.open_cases = [&decider](const Session& session, int) {
    return decider.open_cases(session);
  };
  hooks.progress = [&display](const measure::Progress& progress) { display.Show(progress); };
  return hooks;
}

void ScheduleLooks(std::span<const stats::Look> looks, int done, Session& session) {
  for (const stats::Look& look : looks) {
    session.schedule.looks.push_back(look.rounds - done);
    session.schedule.look_alpha.push_back(look.alpha);
  }
}

void Warn(const std::string& warning, Session& session, GateDisplay& display) {
  session.warnings.push_back(warning);
  display.Say("perfgate: " + warning);
}

void KeepSession(const MeasureRequest& request, const Session& session) {
  if (!request.session.empty()) write_session(request.session, session, request.signer());
}

}  // namespace perfgate::gate
