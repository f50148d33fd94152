// SPDX-License-Identifier: Apache-2.0
// run_state.h: a measurement under way: what was prepared, and what changes with every round.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/os/waiting.h"
#include "perfgate/evidence/session.h"
#include "perfgate/measure/cpu/cpu_lease.h"
#include "perfgate/measure/plan.h"
#include "perfgate/measure/schedule/calibrate.h"
#include "perfgate/measure/schedule/stage.h"

namespace perfgate::measure {

// Filled before the first round. Rounds read it and change nothing in it.
struct PreparedRun {
  PreparedRun(const MeasurePlan& run_plan, const Hooks& run_hooks, Launcher launcher);

  const MeasurePlan& plan;
  const Hooks& hooks;
  Context context;
  CpuLease lease;
  Clock::time_point start = Clock::now();  // of the budget
  std::vector<Calibrated> calibrated;      // per case
  double launch_s = 0;                     // of a launch beside its slices, where arms are workers
  double budget_s = 0;                     // that of the policy, or what was planned
};

struct RunState {
  Session session;
  std::vector<bool> open;          // per case: it is still measured
  std::vector<double> overruns{};  // wall time of each round over what was predicted for it
};

double ElapsedS(const PreparedRun& run);

// Of the budget; infinite where the policy names the rounds.
double BudgetLeftS(const PreparedRun& run);

// What a round, or its last look, may take beyond the budget.
double AllowedOverrunS(const PreparedRun& run);

bool IsAnyOpen(const RunState& state);

// Predicted wall time of a round of the cases that are open.
double RoundS(const PreparedRun& run, const RunState& state);

void ReportProgress(const PreparedRun& run, const RunState& state, Progress::Phase phase,
                    std::size_t done, const std::string& note = {});

}  // namespace perfgate::measure
