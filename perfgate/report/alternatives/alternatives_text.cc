// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/alternatives/alternatives_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "perfgate/report/parts/format.h"

namespace perfgate::report {
namespace {

constexpr int kMostDecimals = 6;

// Decimals that leave four significant digits.
int decimals_of(double value, int most) {
  const double magnitude = std::abs(value);
  if (magnitude == 0) return 0;
  // What rounds up to the next power of ten has one digit more in front of the point.
  constexpr double kRounding = 1 + 5e-5;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(magnitude * kRounding))), 0, most);
}

}  // namespace

TableUnit unit_of(const AlternativesVerdict& verdict) {
  constexpr std::array<std::pair<double, const char*>, 4> kTimes = {
      {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  const Metric& metric = verdict.metric;
  if (metric.kind != Kind::kTime || metric.unit != "s") {
    return {1, metric.unit == "1" ? "" : metric.unit};
  }
  std::vector<double> values;
  for (const AlternativesRow& row : verdict.rows) {
    for (const Standing& standing : row.standings) {
      if (std::isfinite(standing.value)) values.push_back(standing.value);
    }
  }
  if (values.empty()) return {1, "s"};
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  for (const auto& [factor, name] : kTimes) {
    if (*middle >= factor) return {factor, name};
  }
  return {kTimes.back().first, kTimes.back().second};
}

std::string in_unit(double value, const TableUnit& unit) {
  if (!std::isfinite(value)) return "-";
  const double number = value / unit.factor;
  return fixed(number, decimals_of(number, kMostDecimals));
}

std::string speed_up_number(double speed_up) {
  if (!std::isfinite(speed_up)) return "-";
  // Around 1 a digit more tells 0.998 from 1.002 as well as 1.234 from 1.238.
  return fixed(speed_up, speed_up < 1 ? std::max(3, decimals_of(speed_up, kMostDecimals) - 1)
                                      : decimals_of(speed_up, 3));
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
