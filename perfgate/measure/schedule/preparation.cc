// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/preparation.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <string>

#include "perfgate/base/os/entropy.h"
#include "perfgate/base/text/hex.h"
#include "perfgate/measure/isolation/isolation.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/measure/machine/reference_workload.h"
#include "perfgate/measure/schedule/round_cost.h"

namespace perfgate::measure {
namespace {

constexpr int kArmNice = -20;  // where permitted: other processes get about 1 % of the core

std::string UtcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// Tried on this thread and undone: the arms are not there yet, and what is permitted depends on
// capabilities, limits and the container.
bool MayRaisePriority() {
  const int before = getpriority(PRIO_PROCESS, 0);
  if (setpriority(PRIO_PROCESS, 0, kArmNice) != 0) return false;
  setpriority(PRIO_PROCESS, 0, before);
  return true;
}

void RefuseOversubscribedCases(int cores, const Policy& policy, Session& session) {
  if (policy.allow_oversubscription) return;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    const int threads = session.cases[c].threads;
    if (threads <= cores || threads <= 1) continue;
    session.faults.push_back({c, 0, -1, FaultKind::kTooManyThreads,
                              std::to_string(threads) + " threads on " + std::to_string(cores) +
                                  " core(s); allow_oversubscription in the policy permits it"});
  }
}

// What went wrong in an arm that the others are compared without. A case that nobody can measure
// is not that arm's fault, although it stands at the first arm.
bool LeavesTheOthers(const Fault& fault, const MeasurePlan& plan) {
  return IsOptional(plan, fault.arm) && fault.kind != FaultKind::kTooManyThreads &&
         fault.kind != FaultKind::kUnmeasured;
}

// What does other work is not compared, so it need not be measured where the rest goes on.
void DropOtherWorkloads(const Session& session, Context& context) {
  const std::vector<int>& any_of = context.plan.any_of;
  for (const Fault& fault : session.faults) {
    if (fault.kind != FaultKind::kOtherWorkload) continue;
    if (std::find(any_of.begin(), any_of.end(), fault.arm) == any_of.end()) continue;
    context.matched.ids[fault.case_index][static_cast<std::size_t>(fault.arm)].reset();
  }
}

// Every case that enough arms have and that has no fault yet.
std::vector<bool> CasesToCalibrate(const Context& context, const Session& session) {
  std::vector<bool> open(session.cases.size(), true);
  for (const Fault& fault : session.faults) {
    if (!LeavesTheOthers(fault, context.plan)) open[fault.case_index] = false;
  }
  for (std::size_t c = 0; c < open.size(); ++c) {
    if (!HasEnoughArms(context.plan, context.matched.ids[c])) open[c] = false;
  }
  return open;
}

void EnterCalibration(const Calibrated& calibrated, std::size_t c, Context& context,
                      RunState& state) {
  state.session.faults.insert(state.session.faults.end(), calibrated.faults.begin(),
                              calibrated.faults.end());
  auto& ids = context.matched.ids[c];
  // Usable in spite of faults: another arm served, and the case goes on without those.
  for (const Fault& fault : calibrated.faults) {
    if (calibrated.usable) ids[static_cast<std::size_t>(fault.arm)].reset();
  }
  state.open[c] = calibrated.usable && HasEnoughArms(context.plan, ids);
}

void CalibrateOneByOne(Stage& stage, PreparedRun& run, RunState& state) {
  for (std::size_t c = 0; c < state.open.size(); ++c) {
    if (!state.open[c]) continue;
    ReportProgress(run, state, Progress::Phase::kCalibrating, c);
    if (BudgetLeftS(run) < 0) {
      state.session.faults.push_back({c, 0, -1, FaultKind::kUnmeasured,
                                      "the budget ended before it was calibrated; raise --budget "
                                      "or narrow --filter"});
      state.open[c] = false;
      continue;
    }
    stage.pin_for(state.session.cases[c].threads);
    run.calibrated[c] = calibrate_case(stage, run.context, c, state.session.cases[c]);
    EnterCalibration(run.calibrated[c], c, run.context, state);
  }
}

void WarnAboutSetup(Session& session) {
  constexpr double kShown = 0.21;  // calibration aims at 20 %
  for (const CaseInfo& info : session.cases) {
    if (info.setup_share <= kShown) continue;
    session.warnings.push_back(
        info.name + " spends " + std::to_string(std::lround(100 * info.setup_share)) +
        " % of each slice outside its timed loop; build its data once per process (a "
        "function-local static) to measure more in the same time");
  }
}

}  // namespace

void BeginSession(std::uint64_t seed, const MeasurePlan& plan, Session& session) {
  session.id = Hex(system_entropy()) + Hex(system_entropy());
  session.tool = plan.tool;
  session.warnings = plan.warnings;
  session.suite = plan.suite;
  session.started = UtcNow();
  session.policy = plan.policy;
  session.schedule.seed = Hex(seed);
  session.schedule.replayed = plan.seed.has_value();
  session.machine = probe_machine();
  if (plan.isolation) session.trust = plan.isolation->record();
  if (plan.reference) session.reference_names = reference_names();
}

void LeaseCores(PreparedRun& run, RunState& state) {
  int threads = 1;
  for (const CaseInfo& info : state.session.cases) threads = std::max(threads, info.threads);
  const int wanted =
      std::min(threads, static_cast<int>(std::max<std::size_t>(1, allowed_cpus().size())));
  LeaseOptions options;
  options.message = [&](const std::string& text) {
    ReportProgress(run, state, Progress::Phase::kWaitingForCore, 0, text);
  };
  const std::vector<int>& asked = run.plan.cpus;
  run.lease = lease_cpus(asked.empty() ? wanted : static_cast<int>(asked.size()), asked, options);
  run.context.cpus = run.lease.cpus;
  run.context.nice = MayRaisePriority() ? kArmNice : 0;
  state.session.nice = run.context.nice;
  state.session.warnings.insert(state.session.warnings.end(), run.lease.warnings.begin(),
                                run.lease.warnings.end());
  const std::vector<int>& cpus = run.context.cpus;
  RefuseOversubscribedCases(cpus.empty() ? wanted : static_cast<int>(cpus.size()), run.plan.policy,
                            state.session);
  run.start = Clock::now();
}

void CalibrateCases(PreparedRun& run, RunState& state) {
  Context& context = run.context;
  DropOtherWorkloads(state.session, context);
  state.open = CasesToCalibrate(context, state.session);
  run.calibrated.assign(state.session.cases.size(), {});
  std::vector<int> slot_of_arm(run.plan.arms.size());
  std::iota(slot_of_arm.begin(), slot_of_arm.end(), 0);
  Stage stage(context, slot_of_arm, context.must_pause);
  if (context.drivers.front() == DriverKind::kProcessPerSuite) {
    run.calibrated = calibrate_suite(stage, context, state.session.cases);
    for (std::size_t c = 0; c < state.open.size(); ++c) {
      if (state.open[c]) EnterCalibration(run.calibrated[c], c, run.context, state);
    }
  } else {
    CalibrateOneByOne(stage, run, state);
  }
  stage.quit();
  // Rounds find out by themselves, and note, which arm is busy while idle.
  const std::vector<bool> must_pause = context.must_pause;
  const TriedLaunch tried =
      try_a_launch(stage, context, state.session.cases, run.calibrated, state.open);
  context.must_pause = must_pause;
  run.launch_s = tried.launch_s;
  for (const Fault& fault : tried.faults) {
    state.session.faults.push_back(fault);
    state.open[fault.case_index] = false;
  }
  WarnAboutSetup(state.session);
  state.session.schedule.round_s = RoundS(run, state);
}

}  // namespace perfgate::measure
