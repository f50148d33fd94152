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
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/measure/machine/reference_workload.h"
#include "perfgate/measure/schedule/round_cost.h"

namespace perfgate::measure {
namespace {

constexpr int kArmNice = -20;  // where permitted: other processes get about 1 % of the core

std::string Hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

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

void RefuseOversubscribedCases(int cores, RunState& state) {
  if (state.plan.policy.allow_oversubscription) return;
  for (std::size_t c = 0; c < state.session.cases.size(); ++c) {
    const int threads = state.session.cases[c].threads;
    if (threads <= cores || threads <= 1) continue;
    state.session.faults.push_back(
        {c, 0, -1, FaultKind::kTooManyThreads,
         std::to_string(threads) + " threads on " + std::to_string(cores) +
             " core(s); allow_oversubscription in the policy permits it"});
  }
}

// What went wrong in the arm that the others are compared without. A case that nobody can measure
// is not that arm's fault, although it stands at the first arm.
bool LeavesTheOthers(const Fault& fault, const MeasurePlan& plan) {
  return fault.arm == plan.optional_arm && fault.kind != FaultKind::kTooManyThreads &&
         fault.kind != FaultKind::kUnmeasured;
}

// Every case that some arm has and that has no fault yet.
std::vector<bool> CasesToCalibrate(const RunState& state) {
  std::vector<bool> open(state.session.cases.size(), true);
  for (const Fault& fault : state.session.faults) {
    if (!LeavesTheOthers(fault, state.plan)) open[fault.case_index] = false;
  }
  for (std::size_t c = 0; c < open.size(); ++c) {
    const auto& ids = state.context.matched.ids[c];
    if (std::none_of(ids.begin(), ids.end(), [](const auto& id) { return id.has_value(); })) {
      open[c] = false;
    }
  }
  return open;
}

void EnterCalibration(std::size_t c, RunState& state) {
  const Calibrated& calibrated = state.calibrated[c];
  state.session.faults.insert(state.session.faults.end(), calibrated.faults.begin(),
                              calibrated.faults.end());
  state.open[c] = calibrated.usable;
}

void CalibrateOneByOne(Stage& stage, RunState& state) {
  for (std::size_t c = 0; c < state.open.size(); ++c) {
    if (!state.open[c]) continue;
    ReportProgress(state, Progress::Phase::kCalibrating, c);
    if (BudgetLeftS(state) < 0) {
      state.session.faults.push_back({c, 0, -1, FaultKind::kUnmeasured,
                                      "the budget ended before it was calibrated; raise --budget "
                                      "or narrow --filter"});
      state.open[c] = false;
      continue;
    }
    stage.pin_for(state.session.cases[c].threads);
    state.calibrated[c] = calibrate_case(stage, state.context, c, state.session.cases[c]);
    EnterCalibration(c, state);
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

void BeginSession(std::uint64_t seed, RunState& state) {
  Session& session = state.session;
  const MeasurePlan& plan = state.plan;
  session.id = Hex(system_entropy()) + Hex(system_entropy());
  session.tool = plan.tool;
  session.suite = plan.suite;
  session.started = UtcNow();
  session.policy = plan.policy;
  session.schedule.seed = Hex(seed);
  session.schedule.replayed = plan.seed.has_value();
  session.machine = probe_machine();
  if (plan.reference) session.reference_names = reference_names();
}

void LeaseCores(RunState& state) {
  int threads = 1;
  for (const CaseInfo& info : state.session.cases) threads = std::max(threads, info.threads);
  const int wanted =
      std::min(threads, static_cast<int>(std::max<std::size_t>(1, allowed_cpus().size())));
  LeaseOptions options;
  options.message = [&](const std::string& text) {
    ReportProgress(state, Progress::Phase::kWaitingForCore, 0, text);
  };
  const std::vector<int>& asked = state.plan.cpus;
  state.lease = lease_cpus(asked.empty() ? wanted : static_cast<int>(asked.size()), asked, options);
  state.context.cpus = state.lease.cpus;
  state.context.nice = MayRaisePriority() ? kArmNice : 0;
  state.session.nice = state.context.nice;
  state.session.warnings.insert(state.session.warnings.end(), state.lease.warnings.begin(),
                                state.lease.warnings.end());
  const std::vector<int>& cpus = state.context.cpus;
  RefuseOversubscribedCases(cpus.empty() ? wanted : static_cast<int>(cpus.size()), state);
  state.start = Clock::now();
}

void CalibrateCases(RunState& state) {
  Context& context = state.context;
  state.open = CasesToCalibrate(state);
  state.calibrated.assign(state.session.cases.size(), {});
  std::vector<int> slot_of_arm(state.plan.arms.size());
  std::iota(slot_of_arm.begin(), slot_of_arm.end(), 0);
  Stage stage(context, slot_of_arm);
  if (context.drivers.front() == DriverKind::kProcessPerSuite) {
    state.calibrated = calibrate_suite(stage, context, state.session.cases);
    for (std::size_t c = 0; c < state.open.size(); ++c) {
      if (state.open[c]) EnterCalibration(c, state);
    }
  } else {
    CalibrateOneByOne(stage, state);
  }
  stage.quit();
  if (state.plan.launch_of) {
    state.launch_s =
        seconds_of_a_launch(stage, context, state.session.cases, state.calibrated, state.open);
  }
  WarnAboutSetup(state.session);
  state.session.schedule.round_s = RoundS(state);
}

}  // namespace perfgate::measure
