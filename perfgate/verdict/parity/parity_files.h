// SPDX-License-Identifier: Apache-2.0
// parity_files.h: parity of three arms that were measured apart, each in a session or file of its
// own.
//
// Nobody alternated the arms, so each pair is compared as recorded sessions are (stored_gate.h), in
// both directions: slower than the human by more than the margin is `suspected` and never a loss,
// the other way round a win; an interval within the margin is a match. Grade `stored` or
// `imported`, never `paired`; no claim is stronger than `directional`.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"

namespace perfgate::inline verdict {

// given: sessions of baseline, human and agent, of one arm each. policy: its tolerance is the
// margin. primary_metric as in decide_parity(). allowed: reasons of the contract that the user
// overrides. agent_label: what the third arm is called.
ParityVerdict decide_parity_files(const std::array<Session, kParityArms.size()>& given,
                                  const Policy& policy, const std::string& primary_metric = "",
                                  const std::vector<std::string>& allowed = {},
                                  const std::string& agent_label = "agent");

}  // namespace perfgate::inline verdict
