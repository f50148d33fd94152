// SPDX-License-Identifier: Apache-2.0
// bisect.h: which commit made a case slower, by a gate per step.
//
// The good end's executable is measured together with that of the commit in the middle, so the
// machine's drift since the past is no matter. The first gate, good against bad, says which case is
// slower and by how much; each step then asks for half of that: what has the change is far above,
// what has it not far below, and both are decided soon. A step errs with at most the alpha of a
// gate. An undecided step is measured on (its rounds are kept in a ledger), then stepped around.
#pragma once

#include "perfgate/base/error.h"
#include "perfgate/evidence/bisect/bisect.h"
#include "perfgate/gate/bisect/request.h"
#include "perfgate/gate/display.h"

namespace perfgate::gate {

// Goes on where `state` was stopped, and changes nothing where it is complete. What the gate and
// the builds say on the way goes to the display. Error(kUsage) where the request contradicts itself
// or the state file belongs to another bisection; Error(kData) and Error(kFailed) where an end
// cannot be built or measured. Within an InterruptScope a signal throws Interrupted; the state is
// kept.
Bisection Bisect(const BisectRequest& request, GateDisplay& display);

// kPass where the first bad commit was found, kInconclusive where it was not, or not alone.
Exit ExitOfBisection(const Bisection& bisection);

}  // namespace perfgate::gate
