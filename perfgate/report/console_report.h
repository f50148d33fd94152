// SPDX-License-Identifier: Apache-2.0
// console_report.h: a verdict for a terminal or a log: one line per gated case, worst first, then
// what was only watched, then one sentence and where it comes from.
//
// Every line has at most 100 columns. A note that does not fit beside its case stands below the
// table under a number.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"
#include "perfgate/report/parts/console_options.h"

namespace perfgate::report {

std::string console_report(const SuiteVerdict& verdict, const ConsoleOptions& options = {});

}  // namespace perfgate::report
