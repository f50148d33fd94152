// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/run_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "perfgate/measure/schedule/round_cost.h"

namespace perfgate::measure {
namespace {

constexpr double kOverrunShare = 0.05;     // of the budget
constexpr double kUnplannedBudgetS = 300;  // until an automatic one is planned

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::size_t OpenCount(const RunState& state) {
  return static_cast<std::size_t>(std::count(state.open.begin(), state.open.end(), true));
}

}  // namespace

PreparedRun::PreparedRun(const MeasurePlan& run_plan, const Hooks& run_hooks, Launcher launcher)
    : plan(run_plan),
      hooks(run_hooks),
      context{run_plan, std::move(launcher)},
      budget_s(run_plan.policy.budget_s > 0 ? run_plan.policy.budget_s : kUnplannedBudgetS) {}

double ElapsedS(const PreparedRun& run) { return seconds_since(run.start); }

double BudgetLeftS(const PreparedRun& run) {
  return run.plan.policy.rounds > 0 ? std::numeric_limits<double>::infinity()
                                    : run.budget_s - ElapsedS(run);
}

double AllowedOverrunS(const PreparedRun& run) { return kOverrunShare * run.budget_s; }

bool IsAnyOpen(const RunState& state) { return OpenCount(state) > 0; }

double RoundS(const PreparedRun& run, const RunState& state) {
  const double predicted_s =
      predicted_round_s(run.context, state.session.cases, state.open, run.launch_s);
  return state.overruns.empty() ? predicted_s : predicted_s * Median(state.overruns);
}

void ReportProgress(const PreparedRun& run, const RunState& state, Progress::Phase phase,
                    std::size_t done, const std::string& note) {
  if (!run.hooks.progress) return;
  const std::vector<int>& looks = state.session.schedule.looks;
  const double left_s = BudgetLeftS(run);
  Progress progress;
  progress.phase = phase;
  progress.round = static_cast<int>(state.session.rounds.size());
  progress.last_round = looks.empty() ? 0 : looks.back();
  progress.cases_done = done;
  progress.cases_open = OpenCount(state);
  progress.cases = state.session.cases.size();
  progress.elapsed_s = ElapsedS(run);
  progress.left_s = std::isinf(left_s) ? -1 : std::max(0.0, left_s);
  progress.note = note;
  run.hooks.progress(progress);
}

}  // namespace perfgate::measure
