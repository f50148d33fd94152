// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/parity.h"

#include <cmath>

#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {
namespace {

constexpr double kMatchPerSide = 0.05;
constexpr double kSuperiorityPerSide = 0.025;

Parity judge(std::span<const double> d, double margin, double a_match, double a_superiority) {
  require(margin > 0.0 && std::isfinite(margin), "parity: the margin must be positive");
  const double m = std::log1p(margin);
  Parity parity;
  parity.rounds = static_cast<int>(d.size());
  parity.estimate = hodges_lehmann(d);
  if (parity.rounds < kMinimumRounds) {
    parity.match = parity.superiority = no_interval();
    return parity;
  }
  parity.match = signed_rank_interval(d, a_match);
  parity.superiority = signed_rank_interval(d, a_superiority);
  parity.non_inferior = parity.match.hi < m;
  if (-m < parity.match.lo && parity.match.hi < m) {
    parity.outcome = ParityOutcome::kMatch;
  } else if (parity.superiority.hi < -m) {
    parity.outcome = ParityOutcome::kWin;
  } else if (parity.superiority.lo > m) {
    parity.outcome = ParityOutcome::kLoss;
  }
  return parity;
}

}  // namespace

Parity parity_fixed(std::span<const double> d, double margin) {
  return judge(d, margin, kMatchPerSide, kSuperiorityPerSide);
}

Parity parity_at_look(std::span<const double> d, double margin) {
  require(!d.empty(), "parity: no rounds");
  const double level = sequential_level(static_cast<int>(d.size()));
  return judge(d, margin, level, level);
}

Parity parity_sequential(std::span<const double> d, double margin, std::span<const int> looks) {
  require_finite(d, "parity");
  require(!looks.empty(), "parity: no looks");
  int previous = kMinimumRounds - 1;
  for (const int look : looks) {
    require(look > previous, "parity: looks must ascend from at least 6 rounds");
    previous = look;
  }
  for (const int look : looks) {
    const auto rounds = static_cast<std::size_t>(look);
    if (rounds > d.size()) {
      // The budget ended between looks: the intervals are shown, nothing is tested.
      Parity parity = parity_at_look(d, margin);
      parity.outcome = ParityOutcome::kUnresolved;
      return parity;
    }
    const Parity parity = parity_at_look(d.first(rounds), margin);
    if (parity.outcome != ParityOutcome::kUnresolved) {
      return parity;
    }
  }
  return parity_at_look(d.first(static_cast<std::size_t>(looks.back())), margin);
}

}  // namespace perfgate::stats
