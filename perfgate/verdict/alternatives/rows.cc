// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/rows.h"

#include <cmath>
#include <utility>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/verdict/alternatives/case_keys.h"
#include "perfgate/verdict/alternatives/standings.h"

namespace perfgate::inline verdict {
bool is_silent(const Session& session, std::size_t c, std::size_t metric) {
  bool measured = false;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& one : round.cases) {
      if (one.case_index != c) continue;
      measured = true;
      for (const std::vector<double>& slices : one.values[metric]) {
        if (!std::isnan(stats::MedianOfFinite(slices))) return false;
      }
    }
  }
  return measured;
}

OpenRow open_row(const Session& session, std::size_t c, std::size_t metric,
                 std::span<const Fault> broken, const AlternativesQuestion& question) {
  OpenRow open;
  open.row.case_name = session.cases[c].name;
  if (!question.series_key.empty()) {
    if (const auto sized = SplitBySize(open.row.case_name, question.series_key)) {
      open.row.series = sized->series;
      open.row.size = sized->size;
    }
  }
  open.row.standings = standings_of(session, c, metric, broken, question);
  for (const ArmPair pair : pairs_among(open.row.standings, question)) {
    stats::RoundSeries series = speed_ups_of(session, c, metric, pair);
    if (series.d.empty()) continue;
    open.pairs.push_back(pair);
    open.series.push_back(std::move(series));
  }
  return open;
}

std::optional<OpenMeans> open_means(std::span<const OpenRow> rows, std::size_t arms,
                                    const AlternativesQuestion& question) {
  std::vector<bool> takes_part(arms, false);
  for (const OpenRow& open : rows) {
    for (std::size_t arm = 0; arm < arms; ++arm) {
      if (IsCompared(open.row.standings[arm])) takes_part[arm] = true;
    }
  }
  std::vector<const OpenRow*> common;
  for (const OpenRow& open : rows) {
    bool has_all = !open.pairs.empty();
    for (std::size_t arm = 0; arm < arms; ++arm) {
      if (takes_part[arm] && !IsCompared(open.row.standings[arm])) has_all = false;
    }
    if (has_all) common.push_back(&open);
  }
  if (common.size() < 2) return std::nullopt;
  OpenRow overall;
  overall.row.standings.resize(arms);
  for (std::size_t arm = 0; arm < arms; ++arm) {
    Standing& standing = overall.row.standings[arm];
    if (!takes_part[arm]) {
      standing.status = AlternativeStatus::kNotComparable;
      standing.reason = "compared in no case";
      continue;
    }
    double sum = 0;
    for (const OpenRow* open : common) sum += std::log(open->row.standings[arm].value);
    standing.value = std::exp(sum / static_cast<double>(common.size()));
  }
  for (const ArmPair pair : pairs_among(overall.row.standings, question)) {
    std::vector<stats::RoundSeries> cases;
    for (const OpenRow* open : common) {
      for (std::size_t p = 0; p < open->pairs.size(); ++p) {
        if (open->pairs[p].first == pair.first && open->pairs[p].second == pair.second) {
          cases.push_back(open->series[p]);
        }
      }
    }
    if (cases.size() != common.size()) continue;
    stats::RoundSeries means = mean_over_cases(cases);
    if (means.d.empty()) continue;
    overall.pairs.push_back(pair);
    overall.series.push_back(std::move(means));
  }
  return OpenMeans{std::move(overall), static_cast<int>(common.size())};
}

}  // namespace perfgate::inline verdict
