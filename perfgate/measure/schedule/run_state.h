// SPDX-License-Identifier: Apache-2.0
// run_state.h: a measurement under way: what was prepared, what is still open, how long it took.
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

struct RunState {
  RunState(const MeasurePlan& run_plan, const Hooks& run_hooks, Launcher launcher);
  RunState(const RunState&) = delete;
  RunState& operator=(const RunState&) = delete;

  const MeasurePlan& plan;
  const Hooks& hooks;
  Context context;
  CpuLease lease;
  Clock::time_point start = Clock::now();  // of the budget
  Session session;
  std::vector<bool> open;  // per case: it is still measured
  std::vector<Calibrated> calibrated;
  double launch_s = 0;  // of a launch, where a round has several
};

double ElapsedS(const RunState& state);

// Of the budget; infinite where the policy names the rounds.
double BudgetLeftS(const RunState& state);

// What a round, or its last look, may take beyond the budget.
double AllowedOverrunS(const RunState& state);

bool IsAnyOpen(const RunState& state);

// Predicted wall time of a round of the cases that are open.
double RoundS(const RunState& state);

void ReportProgress(const RunState& state, Progress::Phase phase, std::size_t done,
                    const std::string& note = {});

}  // namespace perfgate::measure
