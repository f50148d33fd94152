// SPDX-License-Identifier: Apache-2.0
// faults.h: what a case's failures mean. The arm decides the blame: what goes wrong in the
// candidate is `failed`, in the baseline `not_comparable`; numbers that cannot be true are
// `invalid`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/verdict.h"

namespace perfgate::inline verdict {

// Neither arm did anything wrong.
bool IsNobodysFault(FaultKind kind);

struct FaultVerdict {
  Verdict verdict = Verdict::kFailed;
  std::string reason;  // "crashed: candidate: killed by signal 11 (Segmentation fault)"
};

// A case that breaks in every arm says so first ("fails in both arms: ..."): the change is not to
// blame for it, but nothing can be said of the change.
// faults: all of one case. None where the case has no fault. All faults are in the reason, the
// headline is the first that applies: invalid, failed, not_comparable, missing, new, inconclusive
// (never measured), skipped (every arm skips with the same reason).
std::optional<FaultVerdict> judge_faults(const std::vector<Fault>& faults,
                                         const std::vector<ArmInfo>& arms);

}  // namespace perfgate::inline verdict
