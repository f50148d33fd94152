// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/unchanged_code.h"

#include <algorithm>
#include <string_view>

#include "perfgate/base/text/join.h"

namespace perfgate::inline verdict {
namespace {

constexpr std::string_view kLayoutReason = "layout: ";
constexpr std::string_view kExplanation =
    "the code that this case runs is the same in both; its place in the executable is not. Link it "
    "in several layouts (perfgate relink) to decide, or set unchanged_code: judge";

bool NamesTime(const ColumnVerdict& column) {
  return is_relative(column.metric.kind) &&
         (column.verdict == Verdict::kRegression || column.verdict == Verdict::kImprovement);
}

std::string HotCodeText(const HotCode& found) {
  switch (found.status) {
    case HotCodeStatus::kUnchanged:
      return "code unchanged";
    case HotCodeStatus::kChanged:
      return "code changed: " + Join(found.changed);
    case HotCodeStatus::kUnknown:
      break;
  }
  return "code not checked: " + found.reason;
}

void Withhold(ColumnVerdict& column) {
  if (column.verdict == Verdict::kRegression) {
    column.verdict = Verdict::kInconclusive;
  } else {
    column.verdict = Verdict::kNoRegression;
  }
  column.claim = Claim::kDirectional;
  column.reason = std::string(kLayoutReason) + std::string(kExplanation);
}

}  // namespace

bool IsOfOneLink(const Session& session, const std::string& case_name) {
  for (const RoundInfo& round : session.rounds) {
    if (!round.layouts.empty()) return false;
  }
  for (const LayoutStage& stage : session.confirmation) {
    for (const std::size_t index : stage.cases) {
      if (session.cases[index].name == case_name) return false;
    }
  }
  return true;
}

std::vector<std::string> CasesToExplain(const Session& session, const SuiteVerdict& verdict) {
  std::vector<std::string> names;
  for (const CaseInfo& info : session.cases) {
    const bool named = std::any_of(
        verdict.columns.begin(), verdict.columns.end(),
        [&](const ColumnVerdict& c) { return c.case_name == info.name && NamesTime(c); });
    if (named && IsOfOneLink(session, info.name)) names.push_back(info.name);
  }
  return names;
}

void ApplyHotCode(const Session& session, std::vector<ColumnVerdict>& columns) {
  for (ColumnVerdict& column : columns) {
    const auto found =
        std::find_if(session.hot_code.begin(), session.hot_code.end(),
                     [&](const HotCode& code) { return code.case_name == column.case_name; });
    if (found == session.hot_code.end() || !is_relative(column.metric.kind)) continue;
    column.hot_code = HotCodeText(*found);
    const bool judged = session.policy.unchanged_code == UnchangedCode::kJudge;
    if (found->status == HotCodeStatus::kUnchanged && !judged && NamesTime(column) &&
        IsOfOneLink(session, column.case_name)) {
      Withhold(column);
    }
  }
}

bool IsWithheldByLayout(const ColumnVerdict& verdict) {
  return verdict.verdict == Verdict::kInconclusive && verdict.reason.starts_with(kLayoutReason);
}

}  // namespace perfgate::inline verdict
