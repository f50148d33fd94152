// SPDX-License-Identifier: Apache-2.0
// unchanged_code.h: what is said of a case that runs the same code in both arms.
//
// In one link of each arm such a case may be slower or faster for where its code lies, and that is
// no change. So it is not named, and it does not pass either: another link may show another number.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::inline verdict {

// Whether the case was decided on one link of each arm: only then the rule below holds.
bool IsOfOneLink(const Session& session, const std::string& case_name);

// Cases that the session's rounds name, slower or faster in a time or a rate, on one link of each
// arm. Each once, in the order of the session.
std::vector<std::string> CasesToExplain(const Session& session, const SuiteVerdict& verdict);

// Enters what the session holds of the code of each case. Where that is unchanged and the policy
// does not say judge, a regression in a time or a rate becomes inconclusive and an improvement
// no_regression, directional, with a reason that begins with "layout: ". Counts and scores stay.
void ApplyHotCode(const Session& session, std::vector<ColumnVerdict>& columns);

// Whether ApplyHotCode withheld a verdict: it never passes.
bool IsWithheldByLayout(const ColumnVerdict& verdict);

}  // namespace perfgate::inline verdict
