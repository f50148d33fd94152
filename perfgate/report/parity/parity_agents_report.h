// SPDX-License-Identifier: Apache-2.0
// parity_agents_report.h: the verdicts on several agents: one table per agent, one line in numbers
// per agent, and once what all of them share.
#pragma once

#include <string>

#include "perfgate/evidence/parity.h"
#include "perfgate/report/console/console_report.h"

namespace perfgate::report {

// At most 100 columns. Of one agent: parity_console_report().
std::string AgentsConsoleReport(const ParityAgents& agents, const ConsoleOptions& options = {});

std::string AgentsMarkdownReport(const ParityAgents& agents);

}  // namespace perfgate::report
