// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/conclusion_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "perfgate/base/error.h"
#include "perfgate/verdict/gate/suite_summary.h"
#include "perfgate/verdict/gate/suite_verdict.h"

namespace perfgate::inline verdict {
namespace {

[[noreturn]] void RefuseConclusion(const std::string& where, const std::string& field,
                                   const std::string& found, const std::string& expected) {
  throw Error(Exit::kInvalid, where + ": /" + field + ": is " + found +
                                  ", and the columns of this file give " + expected +
                                  ": it was edited, or cut; run the gate again");
}

bool Warns(const SuiteVerdict& verdict, std::string_view sentence) {
  return std::find(verdict.warnings.begin(), verdict.warnings.end(), sentence) !=
         verdict.warnings.end();
}

Exit ExitOfColumns(const SuiteVerdict& verdict) {
  const bool measured_here = verdict.grade.starts_with("paired");
  // Nothing inconclusive passes on numbers alone.
  const double hide_limit =
      measured_here ? verdict.policy.hide_limit : -std::numeric_limits<double>::infinity();
  const Exit exit = suite_exit(verdict.columns, hide_limit);
  const bool is_partial = measured_here && !verdict.complete;
  return is_partial && exit == Exit::kPass ? Exit::kInconclusive : exit;
}

bool WarnsOfNumbers(const SuiteVerdict& verdict) {
  return std::any_of(verdict.warnings.begin(), verdict.warnings.end(), [](const std::string& text) {
    return text.starts_with(kNumbersPassNoStranger);
  });
}

// What contradicts the verdict of a measured comparison; empty: nothing.
std::string ContradictionIn(const SuiteVerdict& verdict, const ColumnVerdict& column) {
  constexpr double kRounding = 1e-9;
  if (column.rounds <= 0 || !std::isfinite(column.effect.hi)) return {};
  const double expected = column_policy(verdict.policy, column.case_name, column.metric).tolerance;
  if (column.verdict == Verdict::kNoRegression && verdict.grade.starts_with("paired") &&
      std::abs(column.tolerance - expected) > kRounding) {
    return "its tolerance is not that of the policy";
  }
  switch (column.verdict) {
    case Verdict::kNoRegression:
      return column.effect.hi > column.tolerance + kRounding
                 ? "its interval does not rule out a slowdown beyond the tolerance"
                 : "";
    case Verdict::kImprovement:
      return column.effect.estimate < 0 ? "" : "its estimate is no improvement";
    default:
      return {};
  }
}

void RequireOwnVerdicts(const SuiteVerdict& verdict, const std::string& where) {
  for (std::size_t i = 0; i < verdict.columns.size(); ++i) {
    const std::string found = ContradictionIn(verdict, verdict.columns[i]);
    if (found.empty()) continue;
    throw Error(Exit::kInvalid, where + ": /columns/" + std::to_string(i) + "/verdict: is " +
                                    std::string(to_string(verdict.columns[i].verdict)) + ", and " +
                                    found + ": it was edited; run the gate again");
  }
}

}  // namespace

bool IsNewSuite(const SuiteVerdict& verdict) {
  return !verdict.columns.empty() &&
         std::all_of(verdict.columns.begin(), verdict.columns.end(), [](const ColumnVerdict& c) {
           return c.verdict == Verdict::kNew || c.verdict == Verdict::kSkipped;
         });
}

void RequireOwnConclusion(const SuiteVerdict& verdict, const std::string& where) {
  Exit exit = ExitOfColumns(verdict);
  std::string summary = count_verdicts(verdict.columns);
  if (Warns(verdict, kBootstrapped) && exit == Exit::kNotComparable && IsNewSuite(verdict)) {
    exit = Exit::kPass;
  }
  if (WarnsOfNumbers(verdict) && exit == Exit::kPass) exit = Exit::kInconclusive;
  if (Warns(verdict, kDifferOnPurpose)) {
    // The regressions that were accepted do not gate any more; the summary still counts them.
    std::vector<ColumnVerdict> counted = verdict.columns;
    for (ColumnVerdict& column : counted) {
      if (column.verdict == Verdict::kRegression) column.gated = true;
    }
    summary = count_verdicts(counted);
    exit = suite_exit(counted, verdict.policy.hide_limit) == Exit::kRegression ? Exit::kPass : exit;
  }
  if (verdict.exit != exit) {
    RefuseConclusion(where, "exit", std::to_string(static_cast<int>(verdict.exit)),
                     std::to_string(static_cast<int>(exit)));
  }
  if (verdict.summary != summary) {
    RefuseConclusion(where, "summary", "\"" + verdict.summary + "\"", "\"" + summary + "\"");
  }
  RequireOwnVerdicts(verdict, where);
}

}  // namespace perfgate::inline verdict
