// SPDX-License-Identifier: Apache-2.0
// round_cost.h: the wall time that a round is going to take, for the looks that fit into a budget.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/schedule/calibrate.h"
#include "perfgate/measure/schedule/stage.h"

namespace perfgate::measure {

// Seconds that a launch of all arms takes beside its slices, tried on that of the first open case:
// starting, ending, and what its cases build once per process. 0 where no case is open.
double seconds_of_a_launch(Stage& stage, const Context& context, const std::vector<CaseInfo>& cases,
                           const std::vector<Calibrated>& calibrated,
                           const std::vector<bool>& open);

// Seconds of a round of the open cases. launch_s: of seconds_of_a_launch(), which counts where a
// round has several launches; else launching costs what it did when the cases were listed.
double predicted_round_s(const Context& context, const std::vector<CaseInfo>& cases,
                         const std::vector<Calibrated>& calibrated, const std::vector<bool>& open,
                         double launch_s);

}  // namespace perfgate::measure
