// SPDX-License-Identifier: Apache-2.0
// chart_axis.cc: ranges and ticks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "perfgate/report/figures/chart.h"

namespace perfgate::report {
namespace {

constexpr double kRoom = 0.06;  // of the range, at either end
constexpr double kMostSteps = 6;

struct Range {
  double lo = 0;
  double hi = 1;
};

Range RangeOf(const std::vector<double>& values, bool positive) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Range range{kInfinity, -kInfinity};
  for (const double value : values) {
    if (!std::isfinite(value) || (positive && value <= 0)) continue;
    range.lo = std::min(range.lo, value);
    range.hi = std::max(range.hi, value);
  }
  if (range.lo > range.hi) return positive ? Range{1, 10} : Range{0, 1};
  return range;
}

// 1, 2 or 5 times a power of ten.
double StepOf(double width) {
  const double raw = width / kMostSteps;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) return factor * power;
  }
  return 10 * power;
}

std::string TickText(double value, double step) {
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
  constexpr double kLarge = 1e6;
  if (std::abs(value) >= kLarge) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", std::abs(value) < step / 2 ? 0.0 : value, decimals);
}

// "1 G" for 1e9; "1e-12" below where letters end.
std::string PowerText(int power) {
  constexpr std::array<const char*, 7> kLetters = {"", " k", " M", " G", " T", " P", " E"};
  if (power < 0 || power >= 3 * static_cast<int>(kLetters.size()))
    return fmt::format("1e{}", power);
  const int number = static_cast<int>(std::lround(std::pow(10, power % 3)));
  return std::to_string(number) + kLetters[static_cast<std::size_t>(power / 3)];
}

}  // namespace

Axis LinearAxis(const std::string& label, const std::vector<double>& values) {
  Range range = RangeOf(values, false);
  // Doubles of one size have no more than this between them that a tick could name.
  const double least = std::max(std::abs(range.hi), std::abs(range.lo)) * 1e-6 + 1e-300;
  if (range.hi - range.lo < least) {
    range.lo -= least;
    range.hi += least;
  }
  const double width = range.hi - range.lo;
  Axis axis{label, range.lo - width * kRoom, range.hi + width * kRoom, false, {}};
  const double step = StepOf(axis.hi - axis.lo);
  for (double n = std::ceil(axis.lo / step); n * step <= axis.hi; ++n) {
    axis.ticks.push_back({n * step, TickText(n * step, step)});
  }
  return axis;
}

Axis LogAxis(const std::string& label, const std::vector<double>& values) {
  const Range range = RangeOf(values, true);
  const int lo = static_cast<int>(std::floor(std::log10(range.lo) - 0.1));
  const int hi = static_cast<int>(std::ceil(std::log10(range.hi) + 0.1));
  Axis axis{label, std::pow(10, lo), std::pow(10, hi), true, {}};
  const int step = (hi - lo) / 7 + 1;
  for (int power = lo; power <= hi; power += step) {
    axis.ticks.push_back({std::pow(10, power), PowerText(power)});
  }
  return axis;
}

double Along(const Axis& axis, double value) {
  if (!axis.log) return (value - axis.lo) / (axis.hi - axis.lo);
  return std::log(value / axis.lo) / std::log(axis.hi / axis.lo);
}

std::vector<NumberLabel> NumberLabels(const std::vector<Point>& points, double wide, double high) {
  std::vector<NumberLabel> labels;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    const auto near = std::ranges::find_if(labels, [&](const NumberLabel& label) {
      return std::abs(label.at.x - point.x) < wide && std::abs(label.at.y - point.y) < high;
    });
    if (near == labels.end()) {
      labels.push_back({point, std::to_string(i + 1)});
    } else {
      near->text += ", " + std::to_string(i + 1);
    }
  }
  return labels;
}

std::string RoleName(Role role) {
  switch (role) {
    case Role::kBaseline:
      return "baseline";
    case Role::kCandidate:
      return "candidate";
    case Role::kInterval:
      return "interval";
    case Role::kTolerance:
      return "tolerance";
    case Role::kNoise:
      return "noise";
    case Role::kCeiling:
      return "ceiling";
    case Role::kZero:
      break;
  }
  return "zero";
}

}  // namespace perfgate::report
