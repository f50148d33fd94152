// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/round_runner.h"

#include <algorithm>
#include <utility>

#include "perfgate/base/index.h"
#include "perfgate/measure/machine/reference_workload.h"
#include "perfgate/measure/machine/round_probe.h"
#include "perfgate/measure/schedule/launches.h"
#include "perfgate/measure/schedule/round_cost.h"
#include "perfgate/measure/slot_orders.h"

namespace perfgate::measure {
namespace {

std::vector<int> SlotsOfArms(const std::vector<int>& roles) {
  std::vector<int> slot_of_arm(roles.size());
  for (std::size_t role = 0; role < roles.size(); ++role) {
    slot_of_arm[static_cast<std::size_t>(roles[role])] = static_cast<int>(role);
  }
  return slot_of_arm;
}

}  // namespace

RoundRunner::RoundRunner(std::uint64_t seed, const PreparedRun& run, RunState& state)
    : run_(run),
      state_(state),
      ids_(run.context.matched.ids),
      must_pause_(run.context.must_pause),
      random_(seed),
      layouts_(seed, run.plan) {}

RoundInfo RoundRunner::BeginRound() const {
  RoundInfo round;
  round.index = static_cast<int>(state_.session.rounds.size());
  round.cpus = run_.context.cpus;
  round.started_s = ElapsedS(run_);
  return round;
}

// Per arm the seed of its layout, 0 for one that has none; empty where no arm has any.
std::vector<int> RoundRunner::SeedsOf(const std::vector<int>& layouts) const {
  std::vector<int> seeds;
  bool any = false;
  for (std::size_t arm = 0; arm < layouts.size(); ++arm) {
    any = any || layouts[arm] >= 0;
    seeds.push_back(layouts[arm] < 0 ? 0 : run_.plan.arms[arm].layouts[Index(layouts[arm])].seed);
  }
  return any ? seeds : std::vector<int>();
}

std::vector<std::size_t> RoundRunner::DrawOrder() {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < state_.open.size(); ++c) {
    if (state_.open[c]) order.push_back(c);
  }
  random_.shuffle(std::span<std::size_t>(order));
  return order;
}

namespace {

// What an arm does after its last answer is work that it did not time: it belongs to its slices, in
// proportion to what they timed.
void ChargeEnd(double end_cpu_s, std::size_t arm, std::span<CaseRound> cases) {
  double timed_s = 0;
  for (const CaseRound& measured : cases) {
    if (arm >= measured.slice_timed_s.size()) continue;
    for (const double slice_s : measured.slice_timed_s[arm]) timed_s += slice_s > 0 ? slice_s : 0;
  }
  if (timed_s <= 0) return;
  for (CaseRound& measured : cases) {
    if (arm >= measured.slice_timed_s.size()) continue;
    for (std::size_t s = 0; s < measured.slice_wall_s[arm].size(); ++s) {
      const double share = measured.slice_timed_s[arm][s] / timed_s;
      measured.slice_wall_s[arm][s] =
          RoundedSeconds(measured.slice_wall_s[arm][s] + end_cpu_s * share);
    }
  }
}

}  // namespace

RoundEnd RoundRunner::RunRound() {
  const double predicted_s =
      predicted_round_s(run_.context, state_.session.cases, state_.open, run_.launch_s);
  RoundInfo round = BeginRound();
  round.coin = random_.below(PermutationCount(ArmCount()));
  const std::vector<int> roles = Permutation(round.coin, ArmCount());
  const std::vector<std::vector<std::size_t>> launches =
      cases_by_launch(run_.plan, state_.session.cases, DrawOrder());

  const RoundProbe probe(run_.context.cpus);
  if (run_.plan.reference) round.reference = time_reference(run_.context.cpus);
  const std::vector<int> layouts = layouts_.Draw();
  round.layouts = SeedsOf(layouts);
  Stage stage(run_.context, SlotsOfArms(roles), must_pause_, layouts);
  RoundEnd end = RoundEnd::kWhole;
  std::size_t done = 0;
  long voluntary_switches = 0;
  long involuntary_switches = 0;
  for (const std::vector<std::size_t>& cases : launches) {
    if (end == RoundEnd::kWhole && IsBudgetSpent() && done > 0) end = RoundEnd::kBudgetEnded;
    if (end == RoundEnd::kBudgetEnded) break;
    stage.launch(NeededArms(roles, cases));
    const std::size_t first = round.cases.size();
    end = MeasureLaunch(stage, cases, roles, done, round);
    const std::vector<Departure> departures = stage.quit();
    for (std::size_t arm = 0; arm < departures.size(); ++arm) {
      voluntary_switches += departures[arm].voluntary_switches;
      involuntary_switches += departures[arm].involuntary_switches;
      ChargeEnd(departures[arm].end_cpu_s, arm, std::span(round.cases).subspan(first));
      if (departures[arm].leftover_processes > 0) {
        Invalidate(std::span(round.cases).subspan(first), round.index, static_cast<int>(arm));
      }
    }
  }
  round.conditions = probe.finish(stage.cpu_seconds());
  round.conditions.voluntary_switches = voluntary_switches;
  round.conditions.involuntary_switches = involuntary_switches;
  round.wall_s = ElapsedS(run_) - round.started_s;
  if (end == RoundEnd::kWhole && predicted_s > 0) {
    state_.overruns.push_back(round.wall_s / predicted_s);
  }
  state_.session.rounds.push_back(std::move(round));
  ReportProgress(run_, state_, Progress::Phase::kRound, done);
  return end;
}

// done: cases of this round that are behind it.
RoundEnd RoundRunner::MeasureLaunch(Stage& stage, const std::vector<std::size_t>& cases,
                                    const std::vector<int>& roles, std::size_t& done,
                                    RoundInfo& round) {
  const std::vector<CaseInfo>& infos = state_.session.cases;
  if (run_.context.drivers.front() == DriverKind::kProcessPerSuite) {
    ReportProgress(run_, state_, Progress::Phase::kRound, done);
    const auto outcomes =
        measure_suite(stage, run_.context, infos, cases, ids_, run_.calibrated, roles, round.index);
    for (std::size_t i = 0; i < cases.size(); ++i) Enter(outcomes[i], cases[i], round);
    done += cases.size();
    return RoundEnd::kWhole;
  }
  for (const std::size_t c : cases) {
    ReportProgress(run_, state_, Progress::Phase::kRound, done);
    if (IsBudgetSpent() && done > 0) return RoundEnd::kBudgetEnded;
    // Which label has the case's first slot is drawn for labels; the coin maps them to arms.
    std::vector<int> slots = Permutation(random_.below(PermutationCount(ArmCount())), ArmCount());
    for (int& slot : slots) slot = roles[static_cast<std::size_t>(slot)];
    const auto& ids = ids_[c];
    std::erase_if(slots, [&](int arm) { return !ids[static_cast<std::size_t>(arm)]; });
    Enter(measure_case(stage, run_.context, infos[c], c, run_.calibrated[c], slots, round.index), c,
          round);
    ++done;
  }
  return RoundEnd::kWhole;
}

bool RoundRunner::IsBudgetSpent() const { return BudgetLeftS(run_) + AllowedOverrunS(run_) < 0; }

// Of the arms in their order those that have one of the cases.
std::vector<int> RoundRunner::NeededArms(std::vector<int> roles,
                                         std::span<const std::size_t> cases) const {
  std::erase_if(roles, [&](int arm) {
    return std::none_of(cases.begin(), cases.end(), [&](std::size_t c) {
      return ids_[c][static_cast<std::size_t>(arm)].has_value();
    });
  });
  return roles;
}

// Processes outlived the arm, and nothing says which of its cases they came from.
void RoundRunner::Invalidate(std::span<const CaseRound> cases, int round, int arm) {
  for (const CaseRound& measured : cases) {
    state_.session.faults.push_back(
        {measured.case_index, arm, round, FaultKind::kLeftover,
         "a process outlived the executable in a round with this case"});
    if (IsOptional(run_.plan, arm)) {
      DropArm(measured.case_index, arm);
    } else {
      state_.open[measured.case_index] = false;
    }
  }
}

// The case goes on without the arm, as long as enough are left.
void RoundRunner::DropArm(std::size_t c, int arm) {
  auto& ids = ids_[c];
  ids[static_cast<std::size_t>(arm)].reset();
  if (!HasEnoughArms(run_.plan, ids)) state_.open[c] = false;
}

void RoundRunner::Enter(const CaseOutcome& outcome, std::size_t c, RoundInfo& round) {
  state_.session.faults.insert(state_.session.faults.end(), outcome.faults.begin(),
                               outcome.faults.end());
  state_.session.timed_s += outcome.timed_s;
  const auto arms = static_cast<std::size_t>(
      std::count_if(ids_[c].begin(), ids_[c].end(), [](const auto& id) { return id.has_value(); }));
  if (arms > 0 && outcome.checked.size() >= arms) state_.session.cases[c].checked = true;
  for (const int arm : outcome.lost) DropArm(c, arm);
  if (outcome.measured) {
    round.cases.push_back(*outcome.measured);
  } else {
    state_.open[c] = false;
  }
}

}  // namespace perfgate::measure
