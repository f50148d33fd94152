// SPDX-License-Identifier: Apache-2.0
// conditions.h: where the machine stood in a session.
#pragma once

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// Medians over the rounds in which each is known; -1 where it never is.
RoundConditions typical_conditions(const Session& session);

}  // namespace perfgate::inline verdict
