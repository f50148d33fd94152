// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/suite_summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "perfgate/base/text/join.h"

namespace perfgate::inline verdict {

void sort_worst_first(std::vector<ColumnVerdict>& columns) {
  // Verdicts are declared worst first.
  const auto place = [](const ColumnVerdict& column) {
    const double estimate = column.effect.estimate;
    return std::tuple(!column.gated, column.verdict, std::isnan(estimate) ? 1e300 : -estimate);
  };
  std::stable_sort(
      columns.begin(), columns.end(),
      [&](const ColumnVerdict& a, const ColumnVerdict& b) { return place(a) < place(b); });
}

std::string count_verdicts(const std::vector<ColumnVerdict>& columns) {
  std::map<Verdict, int> counts;
  for (const ColumnVerdict& column : columns) {
    if (column.gated) ++counts[column.verdict];
  }
  std::string parts;
  for (const auto& [verdict, count] : counts) {
    AppendItem(parts, std::to_string(count) + " " + std::string(to_string(verdict)));
  }
  return parts.empty() ? "no gated case" : parts;
}

}  // namespace perfgate::inline verdict
