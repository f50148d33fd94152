// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/conclusion.h"

#include <algorithm>
#include <string>
#include <vector>

#include "perfgate/base/text/join.h"

namespace perfgate::inline verdict {
namespace {

bool has(const AlternativesVerdict& verdict, AlternativeStatus status) {
  return std::any_of(verdict.rows.begin(), verdict.rows.end(), [&](const AlternativesRow& row) {
    return std::any_of(row.standings.begin(), row.standings.end(),
                       [&](const Standing& standing) { return standing.status == status; });
  });
}

Exit exit_of(const AlternativesVerdict& verdict) {
  if (has(verdict, AlternativeStatus::kInvalid)) return Exit::kInvalid;
  if (has(verdict, AlternativeStatus::kFailed)) return Exit::kFailed;
  if (verdict.rows.empty() || has(verdict, AlternativeStatus::kNotComparable)) {
    return Exit::kNotComparable;
  }
  const bool compared = has(verdict, AlternativeStatus::kCompared);
  if (!compared && !has(verdict, AlternativeStatus::kUnmeasured)) return Exit::kSkipped;
  const bool all = !has(verdict, AlternativeStatus::kUnmeasured) && verdict.holds;
  return all ? Exit::kPass : Exit::kInconclusive;
}

// "std and heap", "std, heap and radix"
std::string listed(const std::vector<std::string>& names) {
  const std::vector<std::string> front(names.begin(), names.end() - 1);
  return front.empty() ? names.back() : Join(front, ", ") + " and " + names.back();
}

std::string first_of(const AlternativesVerdict& verdict, const AlternativesRow& row,
                     const std::string& where) {
  std::vector<std::string> first;
  for (std::size_t arm = 0; arm < row.standings.size(); ++arm) {
    if (row.standings[arm].rank_lo == 1) first.push_back(verdict.arms[arm].label);
  }
  if (first.empty()) return "nothing was compared " + where;
  if (first.size() == 1) return first.front() + " is the fastest " + where;
  return listed(first) + " are tied for the first rank " + where;
}

std::string SummaryOfAlternatives(const AlternativesVerdict& verdict) {
  if (verdict.rows.empty()) return "no case to compare";
  if (!has(verdict, AlternativeStatus::kCompared)) return "no case could be compared";
  if (!verdict.holds) {
    return "too few rounds to rank: the intervals hold together from " +
           std::to_string(verdict.rounds_needed) + " rounds on";
  }
  if (!verdict.overall.empty()) {
    return first_of(verdict, verdict.overall.front(),
                    "by the geometric mean of " + std::to_string(verdict.overall_cases) + " cases");
  }
  const auto row = std::find_if(verdict.rows.begin(), verdict.rows.end(),
                                [](const AlternativesRow& one) { return !one.pairs.empty(); });
  return row == verdict.rows.end() ? "no case could be compared"
                                   : first_of(verdict, *row, "in " + row->case_name);
}

}  // namespace

void conclude(AlternativesVerdict& verdict) {
  verdict.exit = exit_of(verdict);
  verdict.summary = SummaryOfAlternatives(verdict);
}

}  // namespace perfgate::inline verdict
