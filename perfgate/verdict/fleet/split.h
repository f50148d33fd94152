// SPDX-License-Identifier: Apache-2.0
// split.h: which job of a fleet measures which case.
#pragma once

#include <span>

#include "perfgate/evidence/fleet/fleet.h"
#include "perfgate/evidence/policy.h"
#include "perfgate/stats/design/looks.h"

namespace perfgate::inline verdict {

// Rounds of a fleet whose policy does not name them. Cases that pass leave long before.
inline constexpr int kFleetRounds = 24;

// Gives every case a job of 1 .. jobs so that the slowest job takes about as little as it can: the
// longest case first, each to the job that has the least so far (longest processing time; Graham,
// 1969: at most 4/3 - 1/(3 jobs) of the best split). Cases whose round_s is 0 count as the mean of
// the known ones. Equal input gives an equal split, whatever the machine. Error(kUsage) for fewer
// than 1 job, or more jobs than cases.
void SplitCases(int jobs, std::span<FleetCase> cases);

// The looks of a fleet whose policy names its rounds: those of one gate with --rounds.
// Error(kUsage) where they are too few to decide anything.
std::vector<stats::Look> LooksOfFleet(const Policy& policy);

}  // namespace perfgate::inline verdict
