// SPDX-License-Identifier: Apache-2.0
// round_runner.h: one round after the other, each with coins from one stream of random numbers.
//
// A round draws, in this order: its coin, which maps roles to arms; the order of its cases; and for
// every case which role takes the first slot. The same seed and the same open cases give the same
// rounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perfgate/base/os/entropy.h"
#include "perfgate/measure/layout_draw.h"
#include "perfgate/measure/schedule/round.h"
#include "perfgate/measure/schedule/run_state.h"

namespace perfgate::measure {

enum class RoundEnd { kWhole, kBudgetEnded };

class RoundRunner {
 public:
  // The state is changed by every round; both outlive the runner.
  RoundRunner(std::uint64_t seed, const PreparedRun& run, RunState& state);

  // Measures the open cases and adds the round to the session. Cases that fail are no longer open.
  // Where the budget ends inside the round its finished cases are kept.
  RoundEnd RunRound();

 private:
  RoundInfo BeginRound() const;
  std::vector<int> SeedsOf(const std::vector<int>& layouts) const;
  std::vector<std::size_t> DrawOrder();
  std::vector<int> NeededArms(std::vector<int> roles, std::span<const std::size_t> cases) const;
  RoundEnd MeasureLaunch(Stage& stage, const std::vector<std::size_t>& cases,
                         const std::vector<int>& roles, std::size_t& done, RoundInfo& round);
  void Enter(const CaseOutcome& outcome, std::size_t c, RoundInfo& round);
  void Invalidate(std::span<const CaseRound> cases, int round, int arm);
  void DropArm(std::size_t c, int arm);
  bool IsBudgetSpent() const;
  int ArmCount() const { return static_cast<int>(run_.plan.arms.size()); }

  const PreparedRun& run_;
  RunState& state_;
  CaseIds ids_;                   // without the optional arms that were lost
  std::vector<bool> must_pause_;  // as Stage
  RandomStream random_;
  LayoutDraw layouts_;
};

}  // namespace perfgate::measure
