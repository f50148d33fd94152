// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/cross_source.h"

#include <algorithm>

namespace perfgate::published {
namespace {

bool Agree(const PublishedValue& value, double other, int other_decimals) {
  const double other_half = 0.5 * std::pow(10.0, -other_decimals);
  return std::abs(value.value - other) <= HalfUnit(value) + other_half + kSlack;
}

}  // namespace

bool IsUsable(const PublishedMeasurement& m) {
  if (m.replaced || !m.metric || !m.better) return false;
  // With one token there is no second one to wait for: 0 is no time, and no match.
  const bool per_token = m.metric->starts_with("tpot") || m.metric->starts_with("itl");
  if (m.output_len == 1 && per_token) return false;
  return std::any_of(m.arms.begin(), m.arms.end(), [](const auto& arm) { return arm.has_value(); });
}

const PublishedValue* ValueOf(const PublishedMeasurement* m, Arm arm) {
  if (m == nullptr || !m->arms[index_of(arm)]) return nullptr;
  return &*m->arms[index_of(arm)];
}

const PublishedMeasurement* PrimaryMeasurement(const PublishedItem& item,
                                               const ItemAnswer& answer) {
  if (!answer.primary) return nullptr;
  for (const PublishedMeasurement& m : item.measurements) {
    if (m.metric == answer.primary->metric && m.source == answer.primary->source && IsUsable(m)) {
      return &m;
    }
  }
  return nullptr;
}

std::vector<CrossSource> CrossCheck(const PublishedItem& item,
                                    const std::vector<const PublishedMeasurement*>& usable) {
  std::vector<CrossSource> findings;
  for (const SecondaryValues& list : item.secondary) {
    for (const Arm arm : kAllArms) {
      const std::optional<double>& other = list.values[index_of(arm)];
      if (!other) continue;
      bool found = false;
      bool differs = false;
      for (const PublishedMeasurement* m : usable) {
        const PublishedValue* value = ValueOf(m, arm);
        if (value == nullptr) continue;
        found = true;
        if (m->metric == list.metric) differs |= !Agree(*value, *other, list.decimals);
      }
      if (!found) findings.push_back({list.by, arm, "value_in_secondary_only"});
      if (differs) findings.push_back({list.by, arm, "value_differs"});
    }
  }
  return findings;
}

}  // namespace perfgate::published
