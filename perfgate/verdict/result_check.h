// SPDX-License-Identifier: Apache-2.0
// result_check.h: do the arms compute what they promise to compute alike?
//
// A case with CaseInfo::result promises the same bits in every arm and round, and shows them as
// result_digest. An arm that breaks the promise is faster at something else.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// A fault of kind kInvalid, by the last arm, for every case that promises and was measured, where
// digests differ in any slice of any arm, or an arm shows none. Cases that have faults of their own
// are left to these.
std::vector<Fault> broken_promises(const Session& session);

}  // namespace perfgate::inline verdict
