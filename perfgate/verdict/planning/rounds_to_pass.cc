// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/rounds_to_pass.h"

#include <algorithm>
#include <cmath>

#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::inline verdict {

std::optional<int> rounds_to_pass(double sd, const stats::ColumnRule& rule, double power) {
  constexpr int kFirst = stats::kMinimumRounds;
  if (sd == 0 && (rule.tau > 0 || rule.closed_pass)) return kFirst;
  if (sd > 0 && std::pow(stats::normal_cdf(rule.tau / sd), kFirst) >= power) return kFirst;
  const auto rounds = stats::rounds_needed(sd, rule.tau, stats::kPassPlanningAlpha, power);
  if (!rounds) return std::nullopt;
  return std::max(kFirst + 1, *rounds);
}

int next_look(int rounds) {
  for (const stats::Look& look : stats::default_looks()) {
    if (look.rounds >= rounds) return look.rounds;
  }
  return rounds;
}

}  // namespace perfgate::inline verdict
