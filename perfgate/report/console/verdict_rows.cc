// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/console/verdict_rows.h"

#include <algorithm>
#include <cmath>

#include "perfgate/base/text/case_pattern.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

using Columns = std::vector<const ColumnVerdict*>;

// So many cases with one reason are still told one by one.
constexpr std::size_t kFewAlike = 3;

bool IsQuiet(Verdict verdict) {
  return verdict == Verdict::kNoRegression || verdict == Verdict::kSkipped ||
         verdict == Verdict::kNew;
}

bool IsAlike(const ColumnVerdict& one, const ColumnVerdict& other) {
  if (one.verdict != other.verdict) return false;
  if (IsQuiet(one.verdict)) return true;
  return one.rounds == 0 && other.rounds == 0 && one.reason == other.reason;
}

bool Folds(const Columns& alike) {
  return alike.size() > (IsQuiet(alike.front()->verdict) ? 1 : kFewAlike);
}

// "upper ends of CI95 up to +1.81 %"; empty where some have no interval, or another unit.
std::string UpperEnds(const Columns& columns) {
  const ColumnVerdict* worst = columns.front();
  for (const ColumnVerdict* column : columns) {
    if (!has_interval(*column) || !is_relative(column->metric.kind)) return "";
    if (column->effect.hi > worst->effect.hi) worst = column;
  }
  return "upper ends of CI95 up to " + format_change(worst->effect.hi, worst->metric);
}

std::string FoldedText(const Columns& columns) {
  std::string text = counted(columns.size(), "case");
  const std::string& reason = columns.front()->reason;
  const bool one_reason = std::all_of(columns.begin(), columns.end(),
                                      [&](const auto* column) { return column->reason == reason; });
  if (const std::string ends = UpperEnds(columns); !ends.empty()) text += ", " + ends;
  if (one_reason && !reason.empty()) text += ": " + escaped_ascii(reason);
  if (!IsQuiet(columns.front()->verdict)) {
    text += "; the first is " + NameAsPattern(columns.front()->case_name);
  }
  return text;
}

}  // namespace

VerdictSection SectionOf(const SuiteVerdict& verdict, bool gated, bool all) {
  std::vector<Columns> groups;
  for (const ColumnVerdict& column : verdict.columns) {
    if (column.gated != gated) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Columns& other) {
      return IsAlike(*other.front(), column);
    });
    if (group == groups.end()) {
      groups.push_back({&column});
    } else {
      group->push_back(&column);
    }
  }
  VerdictSection section;
  std::vector<const Columns*> folding;
  for (const Columns& group : groups) {
    if (all || !Folds(group)) continue;
    folding.push_back(&group);
    section.folded.push_back({group.front()->verdict, FoldedText(group)});
  }
  for (const ColumnVerdict& column : verdict.columns) {
    const bool folded = std::any_of(folding.begin(), folding.end(), [&](const Columns* group) {
      return std::find(group->begin(), group->end(), &column) != group->end();
    });
    if (column.gated == gated && !folded) section.rows.push_back(&column);
  }
  return section;
}

}  // namespace perfgate::report
