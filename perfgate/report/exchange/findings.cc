// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/findings.h"

#include <algorithm>

#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/suites/claim_sentence.h"
#include "perfgate/verdict/gate/column_verdict.h"

namespace perfgate::report {
namespace {

// Of a gate that passes, nothing failed it.
bool FailsItsGate(const ColumnVerdict& column, const SuiteVerdict& verdict) {
  if (!column.gated || verdict.exit == Exit::kPass || verdict.exit == Exit::kSkipped) return false;
  switch (column.verdict) {
    case Verdict::kInvalid:
    case Verdict::kFailed:
    case Verdict::kRegression:
    case Verdict::kNotComparable:
    case Verdict::kMissing:
    case Verdict::kSuspected:
      return true;
    case Verdict::kInconclusive:
      return !PassesInconclusive(column, verdict.policy.hide_limit);
    case Verdict::kNoRegression:
    case Verdict::kImprovement:
    case Verdict::kSkipped:
    case Verdict::kNew:
      return false;
  }
  return false;
}

Finding FindingOf(const ColumnVerdict& column, const SuiteVerdict& verdict,
                  const SourceLines& sources) {
  Finding finding;
  finding.severity = SeverityOf(column, verdict);
  finding.rule = std::string(to_string(column.verdict));
  finding.title = finding.rule + ": " + column_name(column);
  finding.message = ClaimSentence(column);
  if (!column.hot_code.empty()) finding.message += " " + column.hot_code + ".";
  finding.case_name = column.case_name;
  finding.metric = column.metric.name;
  finding.place = LineOfCase(sources, column.case_name);
  return finding;
}

}  // namespace

Severity SeverityOf(const ColumnVerdict& column, const SuiteVerdict& verdict) {
  if (FailsItsGate(column, verdict)) return Severity::kError;
  switch (column.verdict) {
    case Verdict::kNoRegression:
    case Verdict::kImprovement:
    case Verdict::kSkipped:
    case Verdict::kNew:
      return Severity::kNote;
    default:
      return Severity::kWarning;
  }
}

bool IsPassed(const ColumnVerdict& column) { return column.verdict == Verdict::kNoRegression; }

std::vector<Finding> FindingsOf(const std::string& title, const SuiteVerdict& verdict,
                                const SourceLines& sources) {
  std::vector<Finding> findings;
  for (const ColumnVerdict& column : verdict.columns) {
    if (!IsPassed(column)) findings.push_back(FindingOf(column, verdict, sources));
  }
  const bool fails = verdict.exit != Exit::kPass && verdict.exit != Exit::kSkipped;
  const bool said = std::ranges::any_of(
      findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
  if (fails && !said) {
    findings.push_back({.severity = Severity::kError,
                        .rule = "suite",
                        .title = "suite: " + title,
                        .message = "exit " + std::to_string(static_cast<int>(verdict.exit)) + ", " +
                                   std::string(exit_meaning(verdict.exit)) + ". " +
                                   verdict.summary});
  }
  return findings;
}

const std::vector<FindingRule>& FindingRules() {
  static const std::vector<FindingRule> kRules = {
      {"invalid", "The numbers of the case cannot be trusted."},
      {"failed", "The candidate crashed, timed out or broke its contract in this case."},
      {"regression", "The case became worse than its tolerance allows."},
      {"not_comparable", "Both arms do not measure the same thing."},
      {"missing", "The baseline has the case and the candidate has not."},
      {"suspected", "Recorded numbers say that the case became worse; a paired run decides."},
      {"inconclusive", "The evidence does not settle the case."},
      {"no_regression", "A slowdown beyond the tolerance is ruled out."},
      {"improvement", "The case became better by more than its tolerance."},
      {"skipped", "The case skipped itself in every arm."},
      {"new", "The baseline does not have the case."},
      {"suite", "The suite fails as a whole."}};
  return kRules;
}

}  // namespace perfgate::report
