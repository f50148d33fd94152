// SPDX-License-Identifier: Apache-2.0
// step.h: one step of a bisection: the gate of two executables on one case, and what it answers.
#pragma once

#include <string>

#include "perfgate/evidence/bisect/bisect.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/gate/bisect/request.h"
#include "perfgate/gate/display.h"

namespace perfgate::gate {

// What the gate said of a commit: answer, reason, rounds and the interval.
BisectCommit AnswerOf(const SuiteVerdict& verdict, const Bisection& bisection);

// Measures candidate against baseline in the chosen case, and goes on while it is undecided and
// there are attempts left. kSkipped where it stays so, fails or is not comparable. Throws
// Interrupted.
BisectCommit MeasureStep(const BisectRequest& request, const Bisection& bisection,
                         const std::string& baseline, const std::string& candidate,
                         GateDisplay& display);

// The first gate: of the good end against the bad one, in all cases. Throws as RunGate.
SuiteVerdict MeasureEnds(const BisectRequest& request, const std::string& good,
                         const std::string& bad, GateDisplay& display);

}  // namespace perfgate::gate
