// SPDX-License-Identifier: Apache-2.0
// result_cases.h: some cases of recorded results, under other names.
#pragma once

#include "perfgate/evidence/session.h"
#include "perfgate/gate/arm_settings.h"

namespace perfgate::gate {

// Keeps of either session the cases that the pairs compare; those of the candidate get the names of
// the baseline's. What a name of a case says of its workload is left out, since that differs on
// purpose. Error(kUsage) as CaseRenaming. same: both are of one file, in which no case may be
// compared with itself; the candidate of a pair that it lacks is missing.
void SelectCases(const CasePairs& pairs, bool same, Session& baseline, Session& candidate);

}  // namespace perfgate::gate
