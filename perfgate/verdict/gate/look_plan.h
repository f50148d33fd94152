// SPDX-License-Identifier: Apache-2.0
// look_plan.h: the looks that a gate's budget reaches.
#pragma once

#include <vector>

#include "perfgate/evidence/policy.h"
#include "perfgate/stats/design/looks.h"

namespace perfgate::inline verdict {

// Rounds of round_s seconds that left_s seconds allow, at most 40. With a tolerance above 0 most
// cases pass at the first look and leave, so later rounds are counted at half the cost of the first
// ones; without one they stay. A policy that names its rounds gets them.
int affordable_rounds(const Policy& policy, double round_s, double left_s);

// Looks within so many rounds; where they are too few for any decision, one look that only shows.
std::vector<stats::Look> looks_within(const Policy& policy, int rounds);

}  // namespace perfgate::inline verdict
