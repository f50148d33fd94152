// SPDX-License-Identifier: Apache-2.0
// findings.h: a verdict as what a code host shows: one finding per case that somebody should look
// at, and one for a suite that fails as a whole.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/verdict.h"
#include "perfgate/report/exchange/source_lines.h"

namespace perfgate::report {

// Worst first.
enum class Severity { kError, kWarning, kNote };

// kError where the case makes the gate fail; kWarning where it does not although it is no pass: a
// bounded inconclusive case, a case that is not gated; kNote for improvements, skipped and new
// cases. A passed case is none of these: see IsPassed.
Severity SeverityOf(const ColumnVerdict& column, const SuiteVerdict& verdict);

bool IsPassed(const ColumnVerdict& column);

struct Finding {
  Severity severity = Severity::kNote;
  std::string rule;         // the verdict's word: "regression"
  std::string title;        // "regression: sort/n:16"
  std::string message;      // the claim sentence, and what the report adds
  std::string case_name{};  // empty: the whole suite
  std::string metric{};
  SourceLine place{};
};

// Of all cases that are no plain pass, in the order of the verdict. Where the gate fails and no
// case says why (an empty suite), the last finding does.
std::vector<Finding> FindingsOf(const std::string& title, const SuiteVerdict& verdict,
                                const SourceLines& sources);

// What each rule means, for formats that describe their rules. In the order of `Verdict`.
struct FindingRule {
  std::string_view id;
  std::string_view meaning;
};
const std::vector<FindingRule>& FindingRules();

}  // namespace perfgate::report
