// SPDX-License-Identifier: Apache-2.0
// stored_gate.h: sessions measured now against sessions recorded earlier.
//
// Recorded numbers cannot tell a slower executable from a slower machine, so a slowdown ends at
// `suspected`, to be confirmed by measuring both executables side by side, unless the machine class
// is qualified by its own record (verdict/recorded/qualification.h). docs/statistics.md has the
// test.
#pragma once

#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/recorded/stored_evidence.h"

namespace perfgate::inline verdict {

// Grade `stored`. Fewer than 2 baseline or candidate sessions: the difference is shown, claim
// `insufficient`. Error(kData) when either side has no session.
SuiteVerdict decide_stored(const StoredEvidence& evidence);

}  // namespace perfgate::inline verdict
