// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_exit.h"

#include <algorithm>

namespace perfgate::inline verdict {
namespace {

constexpr Exit kOrder[] = {Exit::kInvalid,       Exit::kFailed,    Exit::kRegression,
                           Exit::kNotComparable, Exit::kSuspected, Exit::kInconclusive,
                           Exit::kPass,          Exit::kSkipped};

Exit exit_of(const ParityColumn& column) {
  switch (column.outcome) {
    case ParityStatus::kInvalid:
      return Exit::kInvalid;
    case ParityStatus::kFailed:
      return Exit::kFailed;
    case ParityStatus::kLoss:
      return Exit::kRegression;
    case ParityStatus::kNotComparable:
    case ParityStatus::kMissing:
      return Exit::kNotComparable;
    case ParityStatus::kSuspected:
      return Exit::kSuspected;
    case ParityStatus::kUnresolved:
      return Exit::kInconclusive;
    case ParityStatus::kMatch:
      if (column.vacuous == false) return Exit::kPass;
      return column.human_baseline.status == ParityStatus::kNotComparable ? Exit::kNotComparable
                                                                          : Exit::kInconclusive;
    case ParityStatus::kWin:
      return Exit::kPass;
    case ParityStatus::kSkipped:
    case ParityStatus::kNew:
      return Exit::kSkipped;
  }
  return Exit::kInvalid;
}

bool counts(const ParityColumn& column) { return column.primary && column.gated; }

}  // namespace

Exit parity_exit(std::span<const ParityColumn> columns) {
  constexpr auto kNone = std::size(kOrder);
  auto worst = kNone;
  bool any_new = false;
  for (const ParityColumn& column : columns) {
    if (!counts(column)) continue;
    any_new = any_new || column.outcome == ParityStatus::kNew;
    const auto* found = std::find(std::begin(kOrder), std::end(kOrder), exit_of(column));
    worst = std::min(worst, static_cast<std::size_t>(found - std::begin(kOrder)));
  }
  if (worst == kNone || (kOrder[worst] == Exit::kSkipped && any_new)) return Exit::kNotComparable;
  return kOrder[worst];
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
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]) + " " +
            std::string(kParityStatusWords[i]);
    if (i == static_cast<std::size_t>(ParityStatus::kMatch) && vacuous > 0) {
      text += " (" + std::to_string(vacuous) + " vacuous)";
    }
  }
  return text.empty() ? "no gated case" : text;
}

}  // namespace perfgate::inline verdict
