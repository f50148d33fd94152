// SPDX-License-Identifier: Apache-2.0
// plan_report.h: a plan for a terminal, a log or Markdown: one line per gated case, worst first,
// why the unresolved ones are, what a gate would take, and rules that would help.
#pragma once

#include <string>

#include "perfgate/evidence/plan.h"
#include "perfgate/report/console/console_report.h"

namespace perfgate::report {

// At most 100 columns, but for rules with longer names of cases.
std::string plan_console_report(const SuitePlan& plan, const ConsoleOptions& options = {});

std::string plan_markdown_report(const SuitePlan& plan);

// The "cases" of a policy file: `"cases": [...]`, a line per rule. Empty for no rules. ASCII.
std::string policy_snippet(const SuitePlan& plan);

}  // namespace perfgate::report
