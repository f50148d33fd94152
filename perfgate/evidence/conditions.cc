// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/conditions.h"

#include <cmath>
#include <vector>

#include "perfgate/stats/estimate/order_statistics.h"

namespace perfgate::inline evidence {

RoundConditions typical_conditions(const Session& session) {
  using C = RoundConditions;
  const auto of = [&](auto member) {
    std::vector<double> known;
    for (const RoundInfo& round : session.rounds) {
      const auto value = static_cast<double>(round.conditions.*member);
      if (value >= 0) known.push_back(value);
    }
    return known.empty() ? -1 : stats::MedianOfFinite(known);
  };
  return {.steal_share = of(&C::steal_share),
          .foreign_share = of(&C::foreign_share),
          .load = of(&C::load),
          .mhz = of(&C::mhz),
          .voluntary_switches = std::lround(of(&C::voluntary_switches)),
          .involuntary_switches = std::lround(of(&C::involuntary_switches))};
}

}  // namespace perfgate::inline evidence
