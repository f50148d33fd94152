// SPDX-License-Identifier: Apache-2.0
// session_report.h: what was measured, without a verdict: per case and arm the median over rounds
// and an interval for it (session_summary.h), counters, iterations and the share of set-up.
//
// The intervals describe each arm by itself. They are no test of a difference: arms move together
// from round to round, which only a paired comparison takes into account.
#pragma once

#include <span>
#include <string>

#include "perfgate/evidence/session.h"
#include "perfgate/report/console/console_report.h"

namespace perfgate::report {

// At most 100 columns.
std::string session_console_report(const Session& session, const ConsoleOptions& options = {});

// One column per session and arm. Empty for no sessions.
std::string session_markdown_report(std::span<const Session> sessions);

}  // namespace perfgate::report
