// SPDX-License-Identifier: Apache-2.0
// stored_frame.h: what a verdict on recorded numbers says beside its comparisons.
#pragma once

#include <vector>

#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/recorded/contract.h"
#include "perfgate/verdict/recorded/stored_evidence.h"

namespace perfgate::inline verdict {

// Identity, policy, machine and arms, without comparisons.
SuiteVerdict StoredFrame(const StoredEvidence& evidence);

// Warnings that say on what terms the numbers were compared. reference: the component of the
// reference workload that times were divided by, -1 for none.
void ExplainStored(const StoredEvidence& evidence, const std::vector<Mismatch>& overridden,
                   int reference, SuiteVerdict& suite);

}  // namespace perfgate::inline verdict
