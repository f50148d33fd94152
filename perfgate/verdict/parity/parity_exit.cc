// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_exit.h"

#include <algorithm>

#include "perfgate/base/text/join.h"
#include "perfgate/verdict/exit_order.h"

namespace perfgate::inline verdict {
namespace {

Severity SeverityOfParity(const ParityColumn& column) {
  switch (column.outcome) {
    case ParityStatus::kInvalid:
      return Severity::kInvalid;
    case ParityStatus::kFailed:
      return Severity::kFailed;
    case ParityStatus::kLoss:
      return Severity::kRegression;
    case ParityStatus::kNotComparable:
    case ParityStatus::kMissing:
      return Severity::kNotComparable;
    case ParityStatus::kSuspected:
      return Severity::kSuspected;
    case ParityStatus::kUnresolved:
      return Severity::kInconclusive;
    case ParityStatus::kMatch:
      if (column.vacuous == false) return Severity::kPass;
      return column.human_baseline.status == ParityStatus::kNotComparable ? Severity::kNotComparable
                                                                          : Severity::kInconclusive;
    case ParityStatus::kWin:
      return Severity::kPass;
    case ParityStatus::kSkipped:
    case ParityStatus::kNew:
      return Severity::kSkipped;
  }
  return Severity::kInvalid;
}

bool counts(const ParityColumn& column) { return column.primary && column.gated; }

}  // namespace

Exit parity_exit(std::span<const ParityColumn> columns) {
  WorstSeverity worst;
  for (const ParityColumn& column : columns) {
    if (!counts(column)) continue;
    if (column.outcome == ParityStatus::kNew) {
      worst.AddNew();
    } else {
      worst.Add(SeverityOfParity(column));
    }
  }
  return worst.exit();
}

std::array<std::size_t, kParityStatusWords.size()> parity_counts(
    std::span<const ParityColumn> columns) {
  std::array<std::size_t, kParityStatusWords.size()> result = {};
  for (const ParityColumn& column : columns) {
    if (counts(column)) ++result[static_cast<std::size_t>(column.outcome)];
  }
  return result;
}

std::string parity_summary(std::span<const ParityColumn> columns) {
  const auto numbers = parity_counts(columns);
  const auto vacuous = std::count_if(columns.begin(), columns.end(), [](const ParityColumn& c) {
    return counts(c) && c.vacuous.value_or(false);
  });
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    AppendItem(text, std::to_string(numbers[i]) + " " + std::string(kParityStatusWords[i]));
    if (i == static_cast<std::size_t>(ParityStatus::kMatch) && vacuous > 0) {
      text += " (" + std::to_string(vacuous) + " vacuous)";
    }
  }
  return text.empty() ? "no gated case" : text;
}

}  // namespace perfgate::inline verdict
