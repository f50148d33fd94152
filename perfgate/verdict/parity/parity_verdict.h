// SPDX-License-Identifier: Apache-2.0
// parity_verdict.h: from a session of three arms to the verdict on the agent's version.
//
// The agent is judged against the human: win, match or loss by intervals that stay valid under
// early stopping (stats/inference/parity.h), with the policy's tolerance as the margin. The human
// is judged against the baseline in the same way: a match with a human whose change has no effect
// is vacuous. Of each case one metric decides, chosen by its name before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"

namespace perfgate::inline verdict {

// Pure: the same session gives the same verdict. primary_metric: the one that decides, where a case
// reports it; empty: chosen by name (parity_column.h). Throws Error(kData) when
// the arms are not baseline, human and agent.
ParityVerdict decide_parity(const Session& session, const std::string& primary_metric = "");

// decide_parity() in two steps. After the first one p of wins and losses are adjusted for looks
// alone, and nothing is concluded.
ParityVerdict JudgeUnadjusted(const Session& session, const std::string& primary_metric);
void AdjustAndConclude(ParityVerdict& verdict);

// From judged columns to conflicts, exit and summary; sorts them worst first.
void conclude(ParityVerdict& verdict);

// Cases that need more rounds after the looks reached so far: the agent's outcome is open, or it is
// a match and the human's effect is open.
std::vector<bool> open_parity_cases(const Session& session, const std::string& primary_metric = "");

}  // namespace perfgate::inline verdict
