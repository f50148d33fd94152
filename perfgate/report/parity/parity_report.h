// SPDX-License-Identifier: Apache-2.0
// parity_report.h: a parity verdict for a terminal or Markdown: one line per case and metric, worst
// first, perfgate's outcome beside the 5 % point rule's label, then counts that add up.
#pragma once

#include <string>

#include "perfgate/evidence/parity.h"
#include "perfgate/report/console/console_report.h"
#include "perfgate/report/parts/case_report.h"

namespace perfgate::report {

// At most 100 columns.
std::string parity_console_report(const ParityVerdict& verdict, const ConsoleOptions& options = {});

std::string parity_markdown_report(const ParityVerdict& verdict);

// What both of them write.
CaseReport ParityTable(const ParityVerdict& verdict);

}  // namespace perfgate::report
