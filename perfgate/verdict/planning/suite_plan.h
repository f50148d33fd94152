// SPDX-License-Identifier: Apache-2.0
// suite_plan.h: from a calibration to what a gate on the suite would cost and could resolve.
#pragma once

#include <optional>
#include <string>

#include "perfgate/evidence/calibration.h"
#include "perfgate/evidence/plan.h"

namespace perfgate::inline verdict {

struct PlanRequest {
  Policy policy;           // to plan for; its pairs give way to the calibration's
  double power = 0.8;      // in [0.5, 1)
  double slowdown = 0.05;  // that a case should fail at; not asked of cases that tolerate it
  std::optional<double> budget_s;  // none: up to 40 rounds, or the policy's rounds
  std::string tool;
  int gates = 0;  // to resample; 0: affordable_gates(). A quarter of them per case at the slowdown
};

// A column is resolved when at least `power` of the gates resampled from its recorded rounds pass
// it unchanged, and at least `power` fail it at the slowdown. The slowdown is asked of times and
// rates whose tolerance is below it. rounds_to_pass, rounds_to_fail and detectable are closed forms
// (stats/design/planning.h) and may differ from the shares where the noise is not normal.
//
// Exit 0 when every gated column is resolved, 12 otherwise. Throws Error(kUsage) for a power, a
// slowdown or a policy out of range and Error(kData) where the calibration has no gated column.
SuitePlan plan_suite(const Calibration& calibration, const PlanRequest& request);

}  // namespace perfgate::inline verdict
