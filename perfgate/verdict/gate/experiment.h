// SPDX-License-Identifier: Apache-2.0
// experiment.h: several attempts on the same two executables are one experiment.
//
// Whoever may start the gate again until it is green has no error control at all. A later attempt
// therefore adds its rounds to those before, goes on with the looks where they stopped, and has
// only the part of alpha that they left.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/stats/design/looks.h"

namespace perfgate::inline verdict {

// Error(kNotComparable) where the two sessions do not belong together: other executables, cases or
// metrics, or a machine of another class.
void require_one_experiment(const Session& before, const Session& now);

// Whether two policies ask the same of the same evidence: all fields but those that say how much is
// measured. Only then does the answer to one answer the other.
bool same_question(const Policy& one, const Policy& other);

// The rounds of `before`, then those of `now`, under the identity and policy of `now`; looks of
// `now` are counted from its own first round. Looks closer to the one before than the schedule's
// own are left out: whoever looks after every round finds a lucky one. Throws as
// require_one_experiment.
Session pool_attempts(const Session& before, const Session& now);

// Looks that are left when `before` goes on for so many rounds: absolute numbers of rounds, with
// what remains of the policy's alpha. The last is where the attempt ends, which need not be a look:
// pool_attempts drops it when it is too close to another.
std::vector<stats::Look> looks_after(const Session& before, const Policy& policy, int more_rounds);

}  // namespace perfgate::inline verdict
