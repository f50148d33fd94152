// SPDX-License-Identifier: Apache-2.0
// experiment.h: several attempts on the same two executables are one experiment.
//
// Whoever may start the gate again until it is green has no error control at all. A later attempt
// therefore adds its rounds to those before, goes on with the looks where they stopped, and has
// only the part of alpha that they left.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/stats/looks.h"

namespace perfgate {

// The rounds of `before`, then those of `now`, under the identity and policy of `now`; looks of
// `now` are counted from its own first round. Error(kNotComparable) where the two sessions do not
// belong together: other executables, cases or metrics.
Session pool_attempts(const Session& before, const Session& now);

// Looks that are left when `before` goes on for so many rounds: absolute numbers of rounds, with
// what remains of the policy's alpha. A last look without alpha where none is left.
std::vector<stats::Look> looks_after(const Session& before, const Policy& policy, int more_rounds);

}  // namespace perfgate
