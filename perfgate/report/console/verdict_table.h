// SPDX-License-Identifier: Apache-2.0
// verdict_table.h: the cases of a verdict as a table for a terminal of any width.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"
#include "perfgate/report/parts/console_options.h"

namespace perfgate::report {

// What all names share, the table, and the notes that did not fit beside it. Where the numbers
// leave no room for names, a block of lines for each case. Empty where the verdict has no case.
std::string VerdictTable(const SuiteVerdict& verdict, const ConsoleOptions& options);

}  // namespace perfgate::report
