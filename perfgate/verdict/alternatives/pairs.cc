// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/pairs.h"

#include <cmath>
#include <map>
#include <utility>

#include "perfgate/verdict/gate/gate.h"

namespace perfgate::inline verdict {

std::vector<ArmPair> pairs_among(const std::vector<Standing>& standings,
                                 const AlternativesQuestion& question) {
  std::vector<ArmPair> pairs;
  for (std::size_t first = 0; first < standings.size(); ++first) {
    for (std::size_t second = first + 1; second < standings.size(); ++second) {
      const bool compared = standings[first].status == AlternativeStatus::kCompared &&
                            standings[second].status == AlternativeStatus::kCompared;
      const bool with_reference = first == question.reference || second == question.reference;
      if (!compared || (question.only_reference && !with_reference)) continue;
      pairs.push_back({first, second});
    }
  }
  return pairs;
}

stats::RoundSeries speed_ups_of(const Session& session, std::size_t case_index,
                                std::size_t metric_index, ArmPair pair) {
  stats::RoundSeries series;
  for (std::size_t round = 0; round < session.rounds.size(); ++round) {
    for (const CaseRound& measured : session.rounds[round].cases) {
      if (measured.case_index != case_index) continue;
      const auto& arms = measured.values[metric_index];
      // Positive is worse for the second.
      const double slower =
          round_statistic(arms[pair.first], arms[pair.second], session.metrics[metric_index]);
      if (!std::isfinite(slower)) continue;
      series.rounds.push_back(round);
      series.d.push_back(-slower);
    }
  }
  return series;
}

stats::RoundSeries mean_over_cases(const std::vector<stats::RoundSeries>& cases) {
  std::map<std::size_t, std::pair<std::size_t, double>> sums;  // by round: cases and their sum
  for (const stats::RoundSeries& one : cases) {
    for (std::size_t i = 0; i < one.d.size(); ++i) {
      auto& [count, sum] = sums[one.rounds[i]];
      ++count;
      sum += one.d[i];
    }
  }
  stats::RoundSeries means;
  for (const auto& [round, found] : sums) {
    if (found.first != cases.size()) continue;
    means.rounds.push_back(round);
    means.d.push_back(found.second / static_cast<double>(cases.size()));
  }
  return means;
}

}  // namespace perfgate::inline verdict
