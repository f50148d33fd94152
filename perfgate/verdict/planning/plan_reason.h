// SPDX-License-Identifier: Apache-2.0
// plan_reason.h: why a case is not resolved, and what would help.
#pragma once

#include <optional>
#include <string>

#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/plan.h"

namespace perfgate::inline verdict {

// What the plan asks of every column.
struct PlanGoal {
  double power = 0.8;
  double slowdown = 0.05;
  int last_look = 0;      // rounds; 0: none within the budget
  bool can_fail = false;  // a look may fail
  double slice_s = 0.01;  // timed slice that the policy asks for
};

// The next rounder tolerance at or above: steps of 0.5 % up to 10 %, of 1 % above; two digits for
// counts and scores.
double rounder_tolerance(double tolerance, Kind kind);

// "round SD 6.1 % against a tolerance of 2 %: needs about 190 rounds; a tolerance of 9 % would do".
// Empty for a resolved column.
std::string plan_reason(const CalibratedColumn& noise, const PlannedColumn& column,
                        const PlanGoal& goal);

}  // namespace perfgate::inline verdict
