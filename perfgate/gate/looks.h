// SPDX-License-Identifier: Apache-2.0
// looks.h: the looks of a gate, over the rounds of all its attempts.
#pragma once

#include "perfgate/gate/attempts.h"
#include "perfgate/gate/display.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

// plan: says how many rounds its layouts allow. All outlive the result.
Decider DecideWithAttempts(const measure::MeasurePlan& plan, Attempts& attempts,
                           GateDisplay& display);

}  // namespace perfgate::gate
