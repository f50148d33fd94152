// SPDX-License-Identifier: Apache-2.0
// agent_view.h: of a session of several agents the three arms that one agent is judged by.
//
// An agent is judged by the baseline, the human and itself, so the other agents can change its
// verdict by nothing but the rounds that all of them share.
#pragma once

#include <cstddef>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline verdict {

// Throws Error(kData) unless the arms are the baseline, the human and at least one agent, each
// under a label of its own.
void RequireParityArms(const Session& session);

// Arms behind the baseline and the human.
std::size_t AgentCount(const Session& session);

struct AgentView {
  Session session;                 // of three arms
  std::vector<std::size_t> cases;  // by case of the view: its index in the whole session
};

// What a session of the baseline, the human and this agent alone would hold of the same rounds.
// Cases that only other agents have are left out.
AgentView ViewOfAgent(const Session& whole, std::size_t agent);

}  // namespace perfgate::inline verdict
