// SPDX-License-Identifier: Apache-2.0
// history_report.h: a history for a terminal, a log or Markdown: a line per series, the worst
// change first, then where each change came in.
#pragma once

#include <string>

#include "perfgate/evidence/history/history.h"
#include "perfgate/report/parts/console_options.h"

namespace perfgate::report {

// At most 100 columns.
std::string HistoryConsoleReport(const History& history, const ConsoleOptions& options = {});

std::string HistoryMarkdownReport(const History& history);

}  // namespace perfgate::report
