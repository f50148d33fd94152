// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/alternatives/alternatives_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/report/text/format.h"

namespace perfgate::report {
TableUnit unit_of(const AlternativesVerdict& verdict) {
  const Metric& metric = verdict.metric;
  if (metric.kind != Kind::kTime || metric.unit != "s") {
    return {1, metric.unit == "1" ? "" : metric.unit};
  }
  std::vector<double> values;
  for (const AlternativesRow& row : verdict.rows) {
    for (const Standing& standing : row.standings) {
      values.push_back(standing.value);
    }
  }
  return UnitOfTimes(values);
}

std::string speed_up_number(double speed_up) {
  if (!std::isfinite(speed_up)) return "-";
  // Around 1 a digit more tells 0.998 from 1.002 as well as 1.234 from 1.238.
  return fixed(speed_up, speed_up < 1 ? std::max(3, DecimalsOf(speed_up, kMostDecimals) - 1)
                                      : DecimalsOf(speed_up, 3));
}

std::string speed_up_interval(const Standing& standing, bool is_reference) {
  if (is_reference && standing.status == AlternativeStatus::kCompared) return "reference";
  const SpeedUp& found = standing.over_reference;
  if (!std::isfinite(found.lo)) return "";
  return "[" + speed_up_number(found.lo) + ", " + speed_up_number(found.hi) + "]";
}

std::string rank_text(const Standing& standing) {
  if (standing.rank_lo == 0) return "-";
  std::string text = std::to_string(standing.rank_lo);
  if (standing.rank_hi > standing.rank_lo) text += "-" + std::to_string(standing.rank_hi);
  return text;
}

std::string interval_head(const AlternativesVerdict& verdict) {
  if (verdict.holds) return "CI95";
  if (verdict.confidence <= 0) return "CI";
  return "CI" + fixed(100 * verdict.confidence, 1);
}

}  // namespace perfgate::report
