// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/alternatives.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "perfgate/evidence/conditions.h"
#include "perfgate/verdict/alternatives/conclusion.h"
#include "perfgate/verdict/alternatives/ranks.h"
#include "perfgate/verdict/alternatives/rows.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/result_check.h"

namespace perfgate::inline verdict {
namespace {

SpeedUp speed_up_of(const stats::SignedRank& found) {
  SpeedUp speed_up{.estimate = std::exp(found.estimate)};
  if (found.interval.valid) {
    speed_up.lo = std::exp(found.interval.lo);
    speed_up.hi = std::exp(found.interval.hi);
  }
  return speed_up;
}

SpeedUp inverse(const SpeedUp& speed_up) {
  return {1 / speed_up.estimate, 1 / speed_up.hi, 1 / speed_up.lo};
}

// Pairs, speed-ups over the reference and ranks. holds: ranks may rest on the intervals.
void close_row(std::span<const stats::SignedRank> intervals, bool holds, std::size_t reference,
               OpenRow& open) {
  AlternativesRow& row = open.row;
  std::vector<std::size_t> position(row.standings.size(), 0);  // among those compared
  std::size_t compared = 0;
  for (std::size_t arm = 0; arm < row.standings.size(); ++arm) {
    if (IsCompared(row.standings[arm])) position[arm] = compared++;
  }
  SpeedUpBounds bounds(compared);
  for (std::size_t p = 0; p < open.pairs.size(); ++p) {
    const auto [first, second] = open.pairs[p];
    const int rounds = static_cast<int>(open.series[p].d.size());
    const SpeedUp speed_up = speed_up_of(intervals[p]);
    row.pairs.push_back({static_cast<int>(first), static_cast<int>(second), speed_up, rounds});
    row.rounds = p == 0 ? rounds : std::min(row.rounds, rounds);
    if (first == reference) row.standings[second].over_reference = speed_up;
    if (second == reference) row.standings[first].over_reference = inverse(speed_up);
    const std::size_t a = position[first];
    const std::size_t b = position[second];
    if (!holds || !intervals[p].interval.valid) continue;
    bounds.log_speed_up[b * compared + a] = intervals[p].interval.lo;
    bounds.log_speed_up[a * compared + b] = -intervals[p].interval.hi;
  }
  const std::vector<RankRange> ranks = PossibleRanks(std::move(bounds));
  for (std::size_t arm = 0; arm < row.standings.size(); ++arm) {
    Standing& standing = row.standings[arm];
    if (!IsCompared(standing)) continue;
    standing.rank_lo = ranks[position[arm]].lo;
    standing.rank_hi = ranks[position[arm]].hi;
    if (arm == reference) standing.over_reference.estimate = 1;
  }
}

// The intervals of one family, which hold together.
void close_family(std::span<OpenRow> rows, std::size_t reference, AlternativesVerdict& verdict) {
  std::vector<stats::RoundSeries> series;
  for (const OpenRow& open : rows) {
    series.insert(series.end(), open.series.begin(), open.series.end());
  }
  const stats::SimultaneousIntervals found =
      stats::simultaneous_intervals(series, kFamilyConfidence);
  std::size_t at = 0;
  for (OpenRow& open : rows) {
    close_row(std::span(found.comparisons).subspan(at, open.series.size()), found.holds, reference,
              open);
    at += open.series.size();
  }
  if (series.empty()) return;
  const bool is_first = verdict.rounds_needed == 0;
  verdict.confidence = is_first ? found.attained : std::min(verdict.confidence, found.attained);
  verdict.holds = (is_first || verdict.holds) && found.holds;
  verdict.rounds_needed = std::max(
      verdict.rounds_needed, stats::rounds_for_simultaneous(series.size(), kFamilyConfidence));
}

// Series together, in the order in which they appear, sizes rising; what has no size comes last.
void sort_by_series(std::vector<AlternativesRow>& rows) {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < rows.size(); ++i) first.try_emplace(rows[i].series, i);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const AlternativesRow& a, const AlternativesRow& b) {
                     if (std::isnan(a.size) != std::isnan(b.size)) return std::isnan(b.size);
                     if (std::isnan(a.size)) return false;
                     return std::pair(first[a.series], a.size) < std::pair(first[b.series], b.size);
                   });
}

void require_alternatives(const Session& session, const AlternativesQuestion& question) {
  if (session.arms.size() < 2 || session.arms.size() > kMostAlternatives) {
    throw Error(Exit::kData, "a session of " + std::to_string(session.arms.size()) +
                                 " arm(s) holds no comparison; it takes 2 to " +
                                 std::to_string(kMostAlternatives));
  }
  if (question.reference >= session.arms.size()) {
    throw Error(Exit::kData, "the reference is none of the session's arms");
  }
}

AlternativesVerdict frame_of(const Session& session, const AlternativesQuestion& question) {
  AlternativesVerdict verdict;
  verdict.session_id = session.id;
  verdict.suite = session.suite;
  verdict.tool = session.tool;
  verdict.started = session.started;
  verdict.complete = session.complete;
  verdict.grade = session.grade;
  verdict.rounds = static_cast<int>(session.rounds.size());
  verdict.wall_s = session.wall_s;
  verdict.timed_s = session.timed_s;
  verdict.by = question.by;
  verdict.reference = static_cast<int>(question.reference);
  verdict.only_reference = question.only_reference;
  verdict.family = question.family;
  verdict.series_key = question.series_key;
  verdict.policy = session.policy;
  verdict.schedule = session.schedule;
  verdict.machine = session.machine;
  verdict.arms = session.arms;
  verdict.warnings = session.warnings;
  verdict.conditions = typical_conditions(session);
  if (!session.rounds.empty()) verdict.cpus = session.rounds.back().cpus;
  std::set<std::string> seen;
  for (std::size_t arm = 0; arm < session.arms.size(); ++arm) {
    if (arm == question.reference) continue;
    for (std::string& text : build_warnings(session.arms[question.reference], session.arms[arm])) {
      if (seen.insert(text).second) verdict.warnings.push_back(std::move(text));
    }
  }
  return verdict;
}

}  // namespace

std::size_t compared_metric(const Session& session, const std::string& name) {
  std::string known;
  for (std::size_t m = 0; m < session.metrics.size(); ++m) {
    if (session.metrics[m].name != name) continue;
    if (is_relative(session.metrics[m].kind)) return m;
    throw Error(Exit::kUsage, "metric '" + name +
                                  "' is no time and no rate, so it has no speed-up; name another "
                                  "with --metric");
  }
  for (const Metric& metric : session.metrics) known += (known.empty() ? "" : ", ") + metric.name;
  throw Error(Exit::kUsage, "no alternative reports a metric '" + name + "'; there are: " + known);
}

AlternativesVerdict decide_alternatives(const Session& session,
                                        const AlternativesQuestion& question) {
  require_alternatives(session, question);
  AlternativesVerdict verdict = frame_of(session, question);
  // Where nothing could be listed there are no metrics.
  const std::size_t metric =
      session.metrics.empty() ? 0 : compared_metric(session, question.metric);
  if (!session.metrics.empty()) verdict.metric = session.metrics[metric];
  const std::vector<Fault> broken = broken_promises(session);
  std::vector<OpenRow> rows;
  std::size_t silent = 0;
  for (std::size_t c = 0; c < session.cases.size() && !session.metrics.empty(); ++c) {
    if (is_silent(session, c, metric)) {
      ++silent;
    } else {
      rows.push_back(open_row(session, c, metric, broken, question));
    }
  }
  if (silent > 0) {
    verdict.warnings.push_back(std::to_string(silent) + " case(s) report no " +
                               verdict.metric.name + " and are left out");
  }
  const std::size_t cases = rows.size();
  if (std::optional<OpenMeans> means = open_means(rows, session.arms.size(), question)) {
    verdict.overall_cases = means->cases;
    rows.push_back(std::move(means->row));
  }
  if (question.family == Family::kSuite) {
    close_family(rows, question.reference, verdict);
  } else {
    for (OpenRow& open : rows) close_family({&open, 1}, question.reference, verdict);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    (i < cases ? verdict.rows : verdict.overall).push_back(std::move(rows[i].row));
  }
  sort_by_series(verdict.rows);
  conclude(verdict);
  return verdict;
}

std::size_t comparisons_in_family(std::size_t alternatives, std::size_t cases,
                                  const AlternativesQuestion& question) {
  const std::size_t pairs =
      question.only_reference ? alternatives - 1 : alternatives * (alternatives - 1) / 2;
  const std::size_t means = cases > 1 ? 1 : 0;
  return question.family == Family::kSuite ? pairs * (cases + means) : pairs;
}

}  // namespace perfgate::inline verdict
