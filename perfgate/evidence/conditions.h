// SPDX-License-Identifier: Apache-2.0
// conditions.h: where the machine stood in a session.
#pragma once

#include "perfgate/evidence/session.h"

namespace perfgate::inline evidence {

// Medians over the rounds in which each is known, counts rounded to the nearest; -1 where it never
// is. Verdicts, recorded sessions and reports all say this.
RoundConditions typical_conditions(const Session& session);

}  // namespace perfgate::inline evidence
