// SPDX-License-Identifier: Apache-2.0
// parity_faults.h: what a case's failures mean for three arms. What goes wrong in the agent is
// `failed`; in the human there is nothing to compare with; in the baseline only the two pairs with
// the baseline are lost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"

namespace perfgate::inline verdict {

struct ParityFault {
  // None: agent and human compare in spite of it.
  std::optional<ParityStatus> outcome;
  std::string reason;           // of the outcome
  std::string baseline_reason;  // why the baseline does not compare; empty: it does
};

// faults: all of one case. Reasons name the fault, the arm, the kind of failure and whether a retry
// can help: "crashed: agent: killed by signal 11 (crash, retry as_is)".
ParityFault judge_parity_faults(const std::vector<Fault>& faults, const std::vector<ArmInfo>& arms);

}  // namespace perfgate::inline verdict
