// SPDX-License-Identifier: Apache-2.0
// round_cost.h: the wall time that a round is going to take, for the looks that fit into a budget.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/schedule/calibrate.h"
#include "perfgate/measure/schedule/stage.h"

namespace perfgate::measure {

struct TriedLaunch {
  // Of all arms, beside its slices: starting, ending, and what its cases build once per process.
  // The median of up to three tries; 0 where no case is open, and for arms that are processes by
  // case or suite, whose slices hold it.
  double launch_s = 0;
  std::vector<Fault> faults{};  // of cases that failed meanwhile, in an arm that is not optional
};

// Tries the launch of the first open case, with a slice of every open case that shares it.
TriedLaunch try_a_launch(Stage& stage, const Context& context, const std::vector<CaseInfo>& cases,
                         const std::vector<Calibrated>& calibrated, std::vector<bool> open);

// Seconds of a round of the open cases. launch_s: TriedLaunch::launch_s.
double predicted_round_s(const Context& context, const std::vector<CaseInfo>& cases,
                         const std::vector<bool>& open, double launch_s);

}  // namespace perfgate::measure
