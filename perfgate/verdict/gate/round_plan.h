// SPDX-License-Identifier: Apache-2.0
// round_plan.h: how a round is made to fit the budget, chosen after calibration and before the
// first result.
//
// Rounds are worth more than the slices inside them: each has its own launch and coin, and no
// test fails with fewer than 10. So pairs, slices that were lengthened for set-up, and last the
// warm-up slice are cut, the most expensive case first, until the budget holds 16 rounds, over
// layouts 40; where it cannot, 10; where it cannot, 6. What is cut is cut for every arm alike.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// An automatic budget is what 16 rounds need: at least 10 s, and one minute where cuts can make
// them fit. A suite that needs more gets it up to 5 minutes, and beyond that what 10 rounds need.
inline constexpr double kLeastAutoBudgetS = 10;
inline constexpr double kAimedAutoBudgetS = 60;
inline constexpr double kMostAutoBudgetS = 300;

struct RoundPlan {
  double budget_s = 0;          // of the whole measurement; 0: rounds are counted
  double round_s = 0;           // predicted wall seconds of a round
  std::vector<CaseInfo> cases;  // those of the session; pairs, warm-up and slices may be less
  std::string text;             // one line for the report
  // What keeps the budget from 6 rounds, and the budget that would hold them; empty: nothing.
  std::string shortage;
};

// session: calibrated, with its policy, cases and schedule.round_s, without rounds. spent_s: wall
// seconds of the budget that calibration took. cut: pairs, slices and warm-up may be less than the
// policy says, unless it says no (Policy::fit).
RoundPlan plan_rounds(const Session& session, double spent_s, bool cut);

// The budget of a gate on one link whose rounds take round_s: that of the policy, or an automatic
// one.
double budget_of(const Policy& policy, double round_s, double spent_s);

}  // namespace perfgate::inline verdict
