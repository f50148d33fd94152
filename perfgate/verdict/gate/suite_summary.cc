// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/suite_summary.h"

#include <algorithm>
#include <cmath>

namespace perfgate::inline verdict {

void sort_worst_first(std::vector<ColumnVerdict>& columns) {
  const auto severity = [](const ColumnVerdict& column) {
    return column.gated ? static_cast<int>(column.verdict) : 100 + static_cast<int>(column.verdict);
  };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const ColumnVerdict& a, const ColumnVerdict& b) {
                     if (severity(a) != severity(b)) return severity(a) < severity(b);
                     const double x = std::isnan(a.effect.estimate) ? -1e300 : a.effect.estimate;
                     const double y = std::isnan(b.effect.estimate) ? -1e300 : b.effect.estimate;
                     return x > y;
                   });
}

std::string count_verdicts(const std::vector<ColumnVerdict>& columns) {
  constexpr Verdict kOrder[] = {
      Verdict::kInvalid,     Verdict::kFailed,    Verdict::kRegression,   Verdict::kNotComparable,
      Verdict::kMissing,     Verdict::kSuspected, Verdict::kInconclusive, Verdict::kNoRegression,
      Verdict::kImprovement, Verdict::kSkipped,   Verdict::kNew};
  std::string parts;
  for (const Verdict verdict : kOrder) {
    const auto n = std::count_if(columns.begin(), columns.end(), [&](const ColumnVerdict& c) {
      return c.gated && c.verdict == verdict;
    });
    if (n == 0) continue;
    if (!parts.empty()) parts += ", ";
    parts += std::to_string(n) + " " + std::string(to_string(verdict));
  }
  return parts.empty() ? "no gated case" : parts;
}

}  // namespace perfgate::inline verdict
