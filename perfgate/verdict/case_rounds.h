// SPDX-License-Identifier: Apache-2.0
// case_rounds.h: the rounds of one case, found once.
#pragma once

#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// In the order of the rounds. They point into the session.
using RoundsOfCase = std::vector<const CaseRound*>;

// By index of the case.
inline std::vector<RoundsOfCase> RoundsByCase(const Session& session) {
  std::vector<RoundsOfCase> rounds(session.cases.size());
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      rounds[measured.case_index].push_back(&measured);
    }
  }
  return rounds;
}

}  // namespace perfgate::inline verdict
