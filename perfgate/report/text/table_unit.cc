// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/table_unit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "perfgate/report/text/format.h"

namespace perfgate::report {

int DecimalsOf(double value, int most) {
  const double magnitude = std::abs(value);
  if (magnitude == 0) return 0;
  // What rounds up to the next power of ten has one digit more in front of the point.
  constexpr double kRounding = 1 + 5e-5;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(magnitude * kRounding))), 0, most);
}

TableUnit UnitOfTimes(std::span<const double> seconds) {
  constexpr std::array<std::pair<double, const char*>, 4> kTimes = {
      {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  std::vector<double> values;
  std::copy_if(seconds.begin(), seconds.end(), std::back_inserter(values),
               [](double value) { return std::isfinite(value); });
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
  return fixed(number, DecimalsOf(number, kMostDecimals));
}

std::string ValueInTable(double value, const Metric& metric, const TableUnit& unit) {
  constexpr double kFar = 1e4;
  const double number = value / unit.factor;
  const bool fits = number == 0 || (number >= 1 / kFar && number < kFar * 10);
  const bool is_time = metric.kind == Kind::kTime && metric.unit == "s";
  return is_time && fits ? in_unit(value, unit) : format_value(value, metric);
}

}  // namespace perfgate::report
