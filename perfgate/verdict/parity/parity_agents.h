// SPDX-License-Identifier: Apache-2.0
// parity_agents.h: the verdicts on several agents that were measured in one session.
//
// Each agent is judged as if it were alone (agent_view.h). What is claimed of all of them together
// is adjusted by Holm's method over agents and cases.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"

namespace perfgate::inline verdict {

// Of a session of one agent or more: one verdict per agent, in the order of the arms. Pure, as
// decide_parity(), with the same errors.
ParityAgents DecideParityAgents(const Session& session, const std::string& primary_metric = "");

// What concluded verdicts come to. claims: p of wins and losses that are adjusted for agents and
// cases; none for results that were recorded apart.
ParityTogether TogetherOf(const std::vector<ParityVerdict>& verdicts,
                          std::vector<AgentClaim> claims = {});

// Cases that some agent needs more rounds of, see open_parity_cases().
std::vector<bool> OpenCasesOfAgents(const Session& session, const std::string& primary_metric = "");

}  // namespace perfgate::inline verdict
