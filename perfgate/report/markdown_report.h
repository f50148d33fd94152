// SPDX-License-Identifier: Apache-2.0
// markdown_report.h: verdicts as GitHub-flavoured Markdown: cases as rows, one block of columns per
// verdict, machine and policy folded below.
#pragma once

#include <span>
#include <string>

#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

// Rows stand in the order of the first verdict that has them. Empty for no verdicts.
std::string markdown_report(std::span<const SuiteVerdict> verdicts);

}  // namespace perfgate::report
