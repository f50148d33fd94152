// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/layout_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "perfgate/base/text/percent.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/clock_check.h"
#include "perfgate/verdict/gate/column_verdict.h"
#include "perfgate/verdict/second_clock.h"

namespace perfgate::inline verdict {
namespace {

bool IsScreened(const ColumnVerdict& column, double hide_limit) {
  switch (column.verdict) {
    case Verdict::kRegression:
    case Verdict::kImprovement:
      return true;
    case Verdict::kInconclusive:
      return column.rounds >= stats::kMinimumRounds && !is_withheld_by_clock(column) &&
             !IsWithheldBySecondClock(column) && !PassesInconclusive(column, hide_limit);
    default:
      return false;
  }
}

std::size_t CaseIndex(const Session& session, const std::string& name) {
  const auto found = std::find_if(session.cases.begin(), session.cases.end(),
                                  [&](const CaseInfo& info) { return info.name == name; });
  return static_cast<std::size_t>(found - session.cases.begin());
}

std::string EffectText(const ColumnVerdict& column, const Effect& effect) {
  if (is_relative(column.metric.kind)) return fmt::format("{:+.1f} %", 100 * effect.estimate);
  return fmt::format("{:+.3g} {}", effect.estimate, column.metric.unit);
}

std::string IntervalText(const ColumnVerdict& column) {
  const double scale = is_relative(column.metric.kind) ? 100 : 1;
  return fmt::format("[{:+.1f}, {:+.1f}]", scale * column.effect.lo, scale * column.effect.hi);
}

bool IsNamed(Verdict verdict) {
  return verdict == Verdict::kRegression || verdict == Verdict::kImprovement;
}

// "+11.2 % in this link, -0.4 % [-1.6, +0.9] over 24 layouts: layout, not the change"
std::string BothEffects(const ColumnVerdict& link, const ColumnVerdict& layouts) {
  std::string text =
      EffectText(link, link.effect) + " in this link, " + EffectText(layouts, layouts.effect);
  if (std::isfinite(layouts.effect.lo)) text += " " + IntervalText(layouts);
  text += fmt::format(" over {} layouts", layouts.rounds);
  const bool beyond =
      link.effect.estimate > layouts.effect.hi || link.effect.estimate < layouts.effect.lo;
  if (IsNamed(link.verdict) && !IsNamed(layouts.verdict) && beyond) {
    text += ": layout, not the change";
  }
  return text;
}

// What spreads over layouts beyond what spreads in one link.
double LayoutSd(double over_layouts, double in_one_link) {
  if (!std::isfinite(over_layouts)) return over_layouts;
  const double within = std::isfinite(in_one_link) ? in_one_link : 0;
  return std::sqrt(std::max(0.0, over_layouts * over_layouts - within * within));
}

ColumnVerdict WithLink(ColumnVerdict layouts, const ColumnVerdict& link) {
  layouts.link_effect = link.effect;
  layouts.link_sd = link.noise_sd;
  layouts.layout_sd = LayoutSd(layouts.noise_sd, link.noise_sd);
  if (std::isfinite(link.effect.estimate) && std::isfinite(layouts.effect.estimate)) {
    const std::string both = BothEffects(link, layouts);
    layouts.reason = layouts.reason.empty() ? both : layouts.reason + "; " + both;
  }
  return layouts;
}

}  // namespace

std::vector<std::size_t> ScreenedCases(const Session& session, const SuiteVerdict& verdict) {
  std::set<std::size_t> faulted;
  for (const Fault& fault : session.faults) faulted.insert(fault.case_index);
  std::set<std::size_t> screened;
  for (const ColumnVerdict& column : verdict.columns) {
    if (!column.gated || !IsScreened(column, session.policy.hide_limit)) continue;
    const std::size_t c = CaseIndex(session, column.case_name);
    if (c < session.cases.size() && !faulted.contains(c)) screened.insert(c);
  }
  return {screened.begin(), screened.end()};
}

bool ReusesLayouts(const Session& session) {
  std::set<std::pair<std::size_t, int>> seen;
  for (const RoundInfo& round : session.rounds) {
    for (std::size_t arm = 0; arm < round.layouts.size(); ++arm) {
      if (round.layouts[arm] > 0 && !seen.emplace(arm, round.layouts[arm]).second) return true;
    }
  }
  return false;
}

LayoutStage StageOf(const Session& session, const Session& stage) {
  std::vector<std::size_t> cases;
  for (const CaseInfo& info : stage.cases) cases.push_back(CaseIndex(session, info.name));
  LayoutStage result{.cases = cases,
                     .arms = stage.arms,
                     .complete = stage.complete,
                     .incomplete_reason = stage.incomplete_reason,
                     .wall_s = stage.wall_s,
                     .timed_s = stage.timed_s,
                     .schedule = stage.schedule,
                     .rounds = stage.rounds,
                     .faults = stage.faults};
  for (RoundInfo& round : result.rounds) {
    for (CaseRound& measured : round.cases) measured.case_index = cases.at(measured.case_index);
  }
  for (Fault& fault : result.faults) fault.case_index = cases.at(fault.case_index);
  return result;
}

Session SessionOfStage(const Session& session, const LayoutStage& stage) {
  Session result = session;
  result.confirmation.clear();
  result.warnings.clear();
  result.cases.clear();
  std::map<std::size_t, std::size_t> place;
  for (const std::size_t c : stage.cases) {
    place[c] = result.cases.size();
    result.cases.push_back(session.cases.at(c));
  }
  result.arms = stage.arms;
  result.complete = stage.complete;
  result.incomplete_reason = stage.incomplete_reason;
  result.wall_s = stage.wall_s;
  result.timed_s = stage.timed_s;
  result.schedule = stage.schedule;
  result.rounds = stage.rounds;
  result.faults = stage.faults;
  for (RoundInfo& round : result.rounds) {
    for (CaseRound& measured : round.cases) measured.case_index = place.at(measured.case_index);
  }
  for (Fault& fault : result.faults) fault.case_index = place.at(fault.case_index);
  return result;
}

SuiteVerdict MergeStages(const Session& session, SuiteVerdict first, const SuiteVerdict& second) {
  const LayoutStage& stage = session.confirmation.front();
  std::set<std::string> decided;
  for (const std::size_t c : stage.cases) decided.insert(session.cases.at(c).name);
  std::map<std::pair<std::string, std::string>, ColumnVerdict> links;
  for (const ColumnVerdict& column : first.columns) {
    if (decided.contains(column.case_name)) {
      links.emplace(std::pair(column.case_name, column.metric.name), column);
    }
  }
  std::erase_if(first.columns,
                [&](const ColumnVerdict& column) { return decided.contains(column.case_name); });
  for (const ColumnVerdict& column : second.columns) {
    const auto link = links.find({column.case_name, column.metric.name});
    first.columns.push_back(link == links.end() ? column : WithLink(column, link->second));
  }
  first.arms = stage.arms;
  first.complete = session.complete && stage.complete;
  first.layout_rounds = static_cast<int>(stage.rounds.size());
  first.wall_s += stage.wall_s;
  first.timed_s += stage.timed_s;
  return first;
}

}  // namespace perfgate::inline verdict
