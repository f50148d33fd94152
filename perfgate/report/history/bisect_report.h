// SPDX-License-Identifier: Apache-2.0
// bisect_report.h: a bisection for a terminal, a log or Markdown: a line per commit that was looked
// at, in the order of the history, and what was found.
#pragma once

#include <string>

#include "perfgate/evidence/bisect/bisect.h"
#include "perfgate/report/parts/console_options.h"

namespace perfgate::report {

// At most 100 columns.
std::string BisectConsoleReport(const Bisection& bisection, const ConsoleOptions& options = {});

std::string BisectMarkdownReport(const Bisection& bisection);

}  // namespace perfgate::report
