// SPDX-License-Identifier: Apache-2.0
// hot_code.h: whether the cases that a gate would name run the same code in both arms.
#pragma once

#include "perfgate/evidence/session.h"
#include "perfgate/gate/display.h"
#include "perfgate/measure/plan.h"

namespace perfgate::gate {

// Which cases are looked at.
//   off    none: every case is judged as if its code had changed
//   named  those that would be named, slower or faster
//   all    every case that was measured
enum class HotCodeUse { kOff, kNamed, kAll };

// Samples untimed runs of both arms, at least 0.5 s of each case, and enters into the session what
// was found; cases that it knows already stay. What goes wrong is the reason of an unknown status.
// Throws Interrupted only.
void ExplainCases(const measure::MeasurePlan& plan, HotCodeUse use, Session& session,
                  GateDisplay& display);

}  // namespace perfgate::gate
