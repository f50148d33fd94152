// SPDX-License-Identifier: Apache-2.0
// rounds_to_pass.h: at which look unchanged code is predicted to pass.
#pragma once

#include <optional>

#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/design/sequential_gate.h"

namespace perfgate::inline verdict {

// Rounds after which unchanged code whose round SD is `sd` passes with this power, at least 6. At 6
// rounds the bound is the largest of them, so the chance is F(tau / sd)^6; later it is that of
// rounds_needed() at the gate's level. None where it never passes (no tolerance).
std::optional<int> rounds_to_pass(double sd, const stats::ColumnRule& rule,
                                  double power = stats::kPlanningPower);

// The first look of 6, 10, 16, 24, 40 at or after so many rounds; beyond 40 the rounds themselves.
int next_look(int rounds);

}  // namespace perfgate::inline verdict
