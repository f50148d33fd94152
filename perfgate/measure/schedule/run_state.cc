// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/run_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "perfgate/measure/schedule/round_cost.h"

namespace perfgate::measure {
namespace {

constexpr double kOverrunShare = 0.05;  // of the budget

std::size_t OpenCount(const RunState& state) {
  return static_cast<std::size_t>(std::count(state.open.begin(), state.open.end(), true));
}

}  // namespace

RunState::RunState(const MeasurePlan& run_plan, const Hooks& run_hooks, Launcher launcher)
    : plan(run_plan), hooks(run_hooks), context{run_plan, std::move(launcher)} {}

double ElapsedS(const RunState& state) { return seconds_since(state.start); }

double BudgetLeftS(const RunState& state) {
  return state.plan.policy.rounds > 0 ? std::numeric_limits<double>::infinity()
                                      : state.plan.policy.budget_s - ElapsedS(state);
}

double AllowedOverrunS(const RunState& state) { return kOverrunShare * state.plan.policy.budget_s; }

bool IsAnyOpen(const RunState& state) { return OpenCount(state) > 0; }

double RoundS(const RunState& state) {
  return predicted_round_s(state.context, state.session.cases, state.calibrated, state.open,
                           state.launch_s);
}

void ReportProgress(const RunState& state, Progress::Phase phase, std::size_t done,
                    const std::string& note) {
  if (!state.hooks.progress) return;
  const std::vector<int>& looks = state.session.schedule.looks;
  const double left_s = BudgetLeftS(state);
  Progress progress;
  progress.phase = phase;
  progress.round = static_cast<int>(state.session.rounds.size());
  progress.last_round = looks.empty() ? 0 : looks.back();
  progress.cases_done = done;
  progress.cases_open = OpenCount(state);
  progress.cases = state.session.cases.size();
  progress.elapsed_s = ElapsedS(state);
  progress.left_s = std::isinf(left_s) ? -1 : std::max(0.0, left_s);
  progress.note = note;
  state.hooks.progress(progress);
}

}  // namespace perfgate::measure
