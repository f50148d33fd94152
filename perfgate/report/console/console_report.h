// SPDX-License-Identifier: Apache-2.0
// console_report.h: a verdict for a terminal or a log: one line per gated case, worst first, then
// what was only watched, then one sentence and what to know of it.
//
// Cases that passed share a line (ConsoleOptions::all gives each its own). Names of cases are never
// cut: what all of them share is told once, and the rest can be pasted into --filter. A note that
// does not fit beside its case stands below the table under a number.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"
#include "perfgate/report/parts/console_options.h"

namespace perfgate::report {

std::string console_report(const SuiteVerdict& verdict, const ConsoleOptions& options = {});

}  // namespace perfgate::report
