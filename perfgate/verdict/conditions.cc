// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/conditions.h"

#include <cmath>
#include <vector>

#include "perfgate/stats/estimate/order_statistics.h"

namespace perfgate::inline verdict {
namespace {

template <typename Get>
double median_over_rounds(const Session& session, const Get& get) {
  std::vector<double> values;
  for (const RoundInfo& round : session.rounds) {
    if (get(round.conditions) >= 0) values.push_back(static_cast<double>(get(round.conditions)));
  }
  return values.empty() ? -1 : stats::median(values);
}

}  // namespace

RoundConditions typical_conditions(const Session& session) {
  RoundConditions c;
  c.steal_share = median_over_rounds(session, [](const auto& r) { return r.steal_share; });
  c.foreign_share = median_over_rounds(session, [](const auto& r) { return r.foreign_share; });
  c.load = median_over_rounds(session, [](const auto& r) { return r.load; });
  c.mhz = median_over_rounds(session, [](const auto& r) { return r.mhz; });
  c.voluntary_switches =
      std::lround(median_over_rounds(session, [](const auto& r) { return r.voluntary_switches; }));
  c.involuntary_switches = std::lround(
      median_over_rounds(session, [](const auto& r) { return r.involuntary_switches; }));
  return c;
}

}  // namespace perfgate::inline verdict
