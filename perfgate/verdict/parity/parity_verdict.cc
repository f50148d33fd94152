// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "perfgate/evidence/conditions.h"
#include "perfgate/stats/inference/multiplicity.h"
#include "perfgate/verdict/arms.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/parity/agent_view.h"
#include "perfgate/verdict/parity/parity_column.h"
#include "perfgate/verdict/parity/parity_exit.h"
#include "perfgate/verdict/result_check.h"
#include "perfgate/verdict/second_clock.h"

namespace perfgate::inline verdict {
namespace {

void RequireOneAgent(const Session& session) {
  RequireParityArms(session);
  if (AgentCount(session) == 1) return;
  throw Error(Exit::kData, "the session has " + std::to_string(AgentCount(session)) +
                               " agents; `perfgate parity --from FILE` judges each of them");
}

// Executables that are one and the same can be told apart by noise alone.
std::string same_executables(const Session& session) {
  constexpr std::array<std::array<std::size_t, 2>, 3> kPairs = {
      {{kHuman, kAgent}, {kBaseline, kAgent}, {kBaseline, kHuman}}};
  for (const auto& [a, b] : kPairs) {
    if (session.arms[a].digest == session.arms[b].digest) {
      return "same_executable: " + session.arms[a].label + " and " + session.arms[b].label +
             " are one executable";
    }
  }
  return "";
}

std::vector<ParityRefusal> refusals_of(const Session& session) {
  std::vector<ParityRefusal> refusals;
  if (const auto mismatch = build_mismatch(session.arms[kHuman], session.arms[kAgent])) {
    refusals.push_back({ParityStatus::kNotComparable, *mismatch});
  }
  const std::string same = same_executables(session);
  if (!same.empty()) refusals.push_back({ParityStatus::kInvalid, same});
  return refusals;
}

std::vector<ParityColumn> all_columns(const Session& session, const std::string& primary_metric) {
  const std::vector<ParityRefusal> refusals = refusals_of(session);
  std::vector<ParityColumn> columns;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    for (ParityColumn& column : judge_parity_case(session, c, primary_metric, refusals)) {
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

// Holm over the gated primary columns, for wins and for losses.
void AdjustForCases(std::vector<ParityColumn>& columns) {
  for (const auto member : {&ParityColumn::p_win, &ParityColumn::p_loss}) {
    std::vector<double> p;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool counts = columns[i].primary && columns[i].gated && (columns[i].*member);
      if (!counts) continue;
      p.push_back(*(columns[i].*member));
      of.push_back(i);
    }
    const std::vector<double> adjusted = stats::holm(p);
    for (std::size_t i = 0; i < of.size(); ++i) columns[of[i]].*member = adjusted[i];
  }
}

bool is_decided(ParityStatus status) {
  return status == ParityStatus::kWin || status == ParityStatus::kMatch ||
         status == ParityStatus::kLoss || status == ParityStatus::kSuspected;
}

std::vector<std::string> conflicts_in(const std::vector<ParityColumn>& columns) {
  std::map<std::string, const ParityColumn*> primary;
  for (const ParityColumn& column : columns) {
    if (column.primary) primary[column.case_name] = &column;
  }
  std::vector<std::string> conflicts;
  for (const ParityColumn& column : columns) {
    const auto found = primary.find(column.case_name);
    if (column.primary || found == primary.end()) continue;
    const ParityColumn& first = *found->second;
    if (!is_decided(first.outcome) || !is_decided(column.outcome) ||
        first.outcome == column.outcome) {
      continue;
    }
    conflicts.push_back(column.case_name + ": " + first.metric.name + " (primary) says " +
                        std::string(to_string(first.outcome)) + ", " + column.metric.name +
                        " says " + std::string(to_string(column.outcome)));
  }
  return conflicts;
}

void sort_losses_first(std::vector<ParityColumn>& columns) {
  const auto key = [](const ParityColumn& column) {
    const int shown = column.primary && column.gated ? 0 : 100;
    return shown + static_cast<int>(column.outcome);
  };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const ParityColumn& a, const ParityColumn& b) {
                     if (key(a) != key(b)) return key(a) < key(b);
                     const double x = a.agent_human.effect.estimate;
                     const double y = b.agent_human.effect.estimate;
                     return (std::isnan(x) ? -1e300 : x) > (std::isnan(y) ? -1e300 : y);
                   });
}

ParityVerdict FrameOfSession(const Session& session) {
  ParityVerdict verdict;
  verdict.session_id = session.id;
  verdict.suite = session.suite;
  verdict.tool = session.tool;
  verdict.started = session.started;
  verdict.complete = session.complete;
  verdict.grade = session.grade;
  verdict.rounds = static_cast<int>(session.rounds.size());
  verdict.wall_s = session.wall_s;
  verdict.timed_s = session.timed_s;
  verdict.policy = session.policy;
  verdict.schedule = session.schedule;
  verdict.machine = session.machine;
  verdict.trust = session.trust;
  verdict.arms = session.arms;
  verdict.warnings = session.warnings;
  verdict.conditions = typical_conditions(session);
  if (!session.rounds.empty()) verdict.cpus = session.rounds.back().cpus;
  for (std::string& warning : build_warnings(session.arms[kHuman], session.arms[kAgent])) {
    verdict.warnings.push_back(std::move(warning));
  }
  for (std::string& warning : SecondClockWarnings(session, kHuman, kAgent)) {
    verdict.warnings.push_back(std::move(warning));
  }
  return verdict;
}

}  // namespace

ParityVerdict JudgeUnadjusted(const Session& given, const std::string& primary_metric) {
  RequireOneAgent(given);
  const Session session = WithBrokenPromises(given);
  ParityVerdict verdict = FrameOfSession(session);
  verdict.columns = all_columns(session, primary_metric);
  return verdict;
}

void AdjustAndConclude(ParityVerdict& verdict) {
  AdjustForCases(verdict.columns);
  conclude(verdict);
}

ParityVerdict decide_parity(const Session& session, const std::string& primary_metric) {
  ParityVerdict verdict = JudgeUnadjusted(session, primary_metric);
  AdjustAndConclude(verdict);
  return verdict;
}

void conclude(ParityVerdict& verdict) {
  verdict.conflicts = conflicts_in(verdict.columns);
  sort_losses_first(verdict.columns);
  verdict.exit = parity_exit(verdict.columns);
  // An interrupted experiment may have lost, but it cannot have shown parity.
  if (!verdict.complete && verdict.exit == Exit::kPass) verdict.exit = Exit::kInconclusive;
  verdict.summary = parity_summary(verdict.columns);
}

std::vector<bool> open_parity_cases(const Session& session, const std::string& primary_metric) {
  RequireOneAgent(session);
  const std::vector<ParityRefusal> refusals = refusals_of(session);
  std::vector<bool> open(session.cases.size(), false);
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    for (const ParityColumn& column : judge_parity_case(session, c, primary_metric, refusals)) {
      // Faulty and refused cases have no rounds to add to.
      if (!column.primary || !column.gated || column.agent_human.rounds == 0) continue;
      const bool vacuity_open = column.outcome == ParityStatus::kMatch &&
                                column.human_baseline.status == ParityStatus::kUnresolved;
      if (column.outcome == ParityStatus::kUnresolved || vacuity_open) open[c] = true;
    }
  }
  return open;
}

}  // namespace perfgate::inline verdict
