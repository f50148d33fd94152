// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/measure.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/os/entropy.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/evidence/policy_check.h"
#include "perfgate/measure/counters/countable.h"
#include "perfgate/measure/cpu/cpu_lease.h"
#include "perfgate/measure/layout_draw.h"
#include "perfgate/measure/schedule/inspect.h"
#include "perfgate/measure/schedule/list_arms.h"
#include "perfgate/measure/schedule/preparation.h"
#include "perfgate/measure/schedule/round_runner.h"
#include "perfgate/measure/schedule/run_state.h"

namespace perfgate::measure {
namespace {

bool IsLook(const Session& session, int rounds) {
  const std::vector<int>& looks = session.schedule.looks;
  return std::find(looks.begin(), looks.end(), rounds) != looks.end();
}

// A round that reaches a look may overrun the budget a little; without it the rounds since the last
// look would be for nothing.
bool FitsTheBudget(const PreparedRun& run, const RunState& state) {
  const int next = static_cast<int>(state.session.rounds.size()) + 1;
  const double overrun_s = IsLook(state.session, next) ? AllowedOverrunS(run) : 0.0;
  return state.session.rounds.empty() || BudgetLeftS(run) + overrun_s >= RoundS(run, state);
}

void CloseDecidedCases(const Hooks& hooks, RunState& state) {
  const int rounds = static_cast<int>(state.session.rounds.size());
  if (!IsLook(state.session, rounds)) return;
  const std::vector<bool> wanted = hooks.open_cases(state.session, rounds);
  for (std::size_t c = 0; c < state.open.size(); ++c) state.open[c] = state.open[c] && wanted[c];
}

void PlanRounds(PreparedRun& run, RunState& state) {
  Session& session = state.session;
  if (!run.hooks.plan_rounds) return;
  run.hooks.plan_rounds(session, ElapsedS(run));
  if (session.schedule.budget_s > 0) run.budget_s = session.schedule.budget_s;
  session.schedule.round_s = RoundS(run, state);
}

}  // namespace

Session Measure(const MeasurePlan& plan, const Hooks& hooks) {
  if (plan.arms.empty()) throw Error(Exit::kUsage, "no executable to measure");
  const auto is_arm = [&](int arm) { return std::cmp_less(arm, plan.arms.size()); };
  if (!is_arm(plan.optional_arm) || !std::all_of(plan.any_of.begin(), plan.any_of.end(), is_arm)) {
    throw std::logic_error("the optional arm is none of the arms");
  }
  validate(plan.policy);
  const Countable countable = FindCountable(plan.policy.count);
  PreparedRun run(plan, hooks, ProcessLauncher(plan, countable.names));
  run.context.counted = countable.names;
  RunState state;
  Session& session = state.session;
  const std::uint64_t seed = plan.seed ? *plan.seed : system_entropy();
  BeginSession(seed, plan, session);
  session.warnings.insert(session.warnings.end(), countable.warnings.begin(),
                          countable.warnings.end());
  ReportProgress(run, state, Progress::Phase::kListing, 0);
  list_arms(run.context, session);
  session.complete = plan.list_only;
  if (plan.list_only) return std::move(session);
  LeaseCores(run, state);
  try {
    const SelfAffinity elsewhere(run.context.cpus);
    CalibrateCases(run, state);
    inspect_gpu_arms(run.context, session, state.open);
    PlanRounds(run, state);
    hooks.plan_looks(session, BudgetLeftS(run));
    const int last = session.schedule.looks.empty() ? 0 : session.schedule.looks.back();
    RequireLayouts(plan, last);
    RoundRunner runner(seed, run, state);
    RoundEnd end = RoundEnd::kWhole;
    while (end == RoundEnd::kWhole && static_cast<int>(session.rounds.size()) < last &&
           IsAnyOpen(state) && FitsTheBudget(run, state)) {
      end = runner.RunRound();
      if (end == RoundEnd::kWhole) CloseDecidedCases(run.hooks, state);
    }
    if (run.context.launcher.require_unchanged) run.context.launcher.require_unchanged();
    session.complete = true;
  } catch (const Interrupted& interruption) {
    session.incomplete_reason = interruption.what();
  }
  session.wall_s = ElapsedS(run);
  return std::move(session);
}

}  // namespace perfgate::measure
