// SPDX-License-Identifier: Apache-2.0
// exits.h: the exit codes of everything that measures or compares.
//
// The order in which the verdicts of a suite make its exit is verdict's (suite_exit); here is what
// else decides.
#pragma once

#include "perfgate/base/error.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/ablation/ablation.h"

namespace perfgate::gate {

// What a slowdown that only recorded numbers show does to the exit: 15, or 0.
enum class Suspicion { kFails, kWarns };

Exit ExitOfGate(const SuiteVerdict& verdict, Suspicion suspected);

// A suite that the base does not know yet passes: nothing to compare, said plainly.
void AcceptNewSuite(SuiteVerdict& verdict);

// Alternatives that differ on purpose pass: that one is slower is the answer and no failure.
void AcceptDifference(SuiteVerdict& verdict);

// Of a session that nobody judges: 13 without cases, 11 when one failed, 77 when all were skipped,
// 12 when the budget ended before the first round.
Exit ExitOfSession(const Session& session);

// What an option does is an answer, not a failure: only what could not be answered is.
Exit ExitOfAblation(const Ablation& ablation);

// Whether a fault is a failure of the program, and not that a case could not be measured here.
bool IsFailure(const Fault& fault);

// Of a session that no calibration can be made from; `refusal` is why.
Exit ExitWithoutCalibration(const Session& session, const Error& refusal);

}  // namespace perfgate::gate
