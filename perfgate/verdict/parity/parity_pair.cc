// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_pair.h"

#include <cmath>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/parity.h"
#include "perfgate/verdict/effect.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::inline verdict {
namespace {

ParityStatus status_of(stats::ParityOutcome outcome) {
  switch (outcome) {
    case stats::ParityOutcome::kMatch:
      return ParityStatus::kMatch;
    case stats::ParityOutcome::kWin:
      return ParityStatus::kWin;
    case stats::ParityOutcome::kLoss:
      return ParityStatus::kLoss;
    case stats::ParityOutcome::kUnresolved:
      break;
  }
  return ParityStatus::kUnresolved;
}

ParityStatus status_of_difference(const stats::Interval& interval, double margin) {
  if (!interval.valid) return ParityStatus::kUnresolved;
  if (-margin <= interval.lo && interval.hi <= margin) return ParityStatus::kMatch;
  if (interval.hi < -margin) return ParityStatus::kWin;
  if (interval.lo > margin) return ParityStatus::kLoss;
  return ParityStatus::kUnresolved;
}

ParityStatus status_at(std::span<const double> d, const Metric& metric, double margin) {
  if (is_relative(metric.kind)) {
    // A margin of nothing can be won or lost beyond, never matched within.
    if (margin > 0) return status_of(stats::parity_at_look(d, margin).outcome);
  }
  const double bound = is_relative(metric.kind) ? std::log1p(margin) : margin;
  return status_of_difference(IntervalOf(d), bound);
}

template <class Visit>
void for_each_round(const Session& session, std::size_t case_index, const Visit& visit) {
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index == case_index) visit(measured);
    }
  }
}

}  // namespace

std::vector<double> pair_rounds(const Session& session, std::size_t case_index,
                                std::size_t metric_index, std::size_t first, std::size_t second) {
  std::vector<double> d;
  for_each_round(session, case_index, [&](const CaseRound& measured) {
    const auto& arms = measured.values[metric_index];
    const double value = round_statistic(arms[first], arms[second], session.metrics[metric_index]);
    if (std::isfinite(value)) d.push_back(value);
  });
  return d;
}

std::vector<double> arm_rounds(const Session& session, std::size_t case_index,
                               std::size_t metric_index, std::size_t arm) {
  std::vector<double> medians;
  for_each_round(session, case_index, [&](const CaseRound& measured) {
    const double median = stats::MedianOfFinite(measured.values[metric_index][arm]);
    if (!std::isnan(median)) medians.push_back(median);
  });
  return medians;
}

ParityPair judge_pair(std::span<const double> d, const Metric& metric, double margin,
                      std::span<const int> looks) {
  ParityPair pair;
  if (d.empty()) {
    pair.status = ParityStatus::kUnresolved;
    return pair;
  }
  pair.rounds = static_cast<int>(d.size());
  for (const int look : looks) {
    const auto rounds = static_cast<std::size_t>(look);
    if (look < stats::kMinimumRounds) continue;
    if (rounds > d.size()) break;
    pair.status = status_at(d.first(rounds), metric, margin);
    if (pair.status == ParityStatus::kUnresolved) continue;
    pair.rounds = look;
    break;
  }
  const std::span<const double> used = rounds_of(pair, d);
  pair.effect = EffectOf(used, IntervalOf(used), metric);
  return pair;
}

std::span<const double> rounds_of(const ParityPair& pair, std::span<const double> d) {
  return d.first(static_cast<std::size_t>(pair.rounds));
}

ParityPair lost_pair(const std::string& reason) {
  ParityPair pair;
  pair.status = ParityStatus::kNotComparable;
  pair.reason = reason;
  return pair;
}

}  // namespace perfgate::inline verdict
