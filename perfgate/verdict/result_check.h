// SPDX-License-Identifier: Apache-2.0
// result_check.h: do the arms compute what they promise to compute alike?
//
// A case with CaseInfo::result promises the same bits in every arm and round, and shows them as
// result_digest. An arm that breaks the promise is faster at something else.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// A fault of kind kInvalid, by the last arm that differs from the first, for every case that
// promises and was measured, where digests differ in any slice of any arm, or an arm shows none.
// Cases that have faults of their own are left to these.
std::vector<Fault> broken_promises(const Session& session);

// Whether a gated score (Kind::kScore) of the case says how good every arm's results are.
bool IsScored(const Session& session, std::size_t case_index);

// The session with a fault after its last round for each broken promise of a case of which any arm
// shows a digest. Where the case is scored the score judges instead: another build may well round
// otherwise.
Session WithBrokenPromises(Session session);

}  // namespace perfgate::inline verdict
