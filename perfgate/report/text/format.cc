// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

constexpr std::size_t kLongestUnit = 12;

// std::to_chars, since printf's decimal point follows the locale.
std::string general(double value, int digits) {
  std::array<char, 64> buffer = {};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::general, digits);
  return {buffer.data(), end};
}

// Exactly four digits for a value in [1, 1000): "1.234", "12.34", "123.4".
std::string four_digits(double value) {
  const double magnitude = std::abs(value);
  if (magnitude >= 999.95) return fixed(value, 0);
  if (magnitude >= 99.995) return fixed(value, 1);
  return fixed(value, magnitude >= 9.9995 ? 2 : 3);
}

// Four significant digits; large numbers whole, as they are counted.
std::string count_text(double value) {
  const double magnitude = std::abs(value);
  return magnitude >= 9999.5 && magnitude < 1e15 ? fixed(value, 0) : general(value, 4);
}

struct Scale {
  double factor;
  std::string_view prefix;
};

// The value over the largest scale that leaves at least 1 after rounding to four digits.
template <std::size_t N>
std::string scaled(double value, const std::array<Scale, N>& scales, std::string_view unit) {
  const double magnitude = std::abs(value);
  const Scale* chosen = &scales.back();
  for (const Scale& scale : scales) {
    if (magnitude / scale.factor >= 0.99995) {
      chosen = &scale;
      break;
    }
  }
  const double number = value / chosen->factor;
  const bool plain = std::abs(number) < 999999.5 && (std::abs(number) >= 0.0005 || number == 0);
  return (plain ? four_digits(number) : general(number, 4)) + " " + std::string(chosen->prefix) +
         std::string(unit);
}

std::string unit_text(const Metric& metric) {
  return metric.unit == "1" || metric.unit.empty()
             ? ""
             : shortened(escaped_ascii(metric.unit), kLongestUnit);
}

std::string with_unit(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + unit;
}

}  // namespace

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer = {};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, decimals);
  return {buffer.data(), end};
}

std::string format_time(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  constexpr std::array<Scale, 4> kTimes = {{{1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}}};
  return scaled(seconds, kTimes, "s");
}

std::string format_wall(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (std::abs(seconds) >= 600) return fixed(seconds / 60, 0) + " min";
  return (std::abs(seconds) < 10 ? fixed(seconds, 2) : fixed(seconds, 1)) + " s";
}

std::string format_value(double value, const Metric& metric) {
  if (!std::isfinite(value)) return "-";
  if (metric.kind == Kind::kTime && metric.unit == "s") return format_time(value);
  const std::string unit = unit_text(metric);
  if (metric.kind == Kind::kRate) {
    constexpr std::array<Scale, 5> kRates = {
        {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
    return scaled(value, kRates, unit);
  }
  if (metric.unit == "B" && std::abs(value) >= 1024) {
    constexpr std::array<Scale, 4> kBytes = {{{1024.0 * 1024 * 1024 * 1024, "Ti"},
                                              {1024.0 * 1024 * 1024, "Gi"},
                                              {1024.0 * 1024, "Mi"},
                                              {1024, "Ki"}}};
    return scaled(value, kBytes, unit);
  }
  return with_unit(count_text(value), unit);
}

std::string format_share(double fraction) {
  if (!std::isfinite(fraction)) return "-";
  return general(fraction * 100, 3) + " %";
}

std::string format_change_number(double effect, const Metric& metric) {
  if (!std::isfinite(effect)) return "-";
  const bool relative = is_relative(metric.kind);
  const double value = relative ? effect * 100 : effect;
  std::string number;
  if (!relative) {
    number = count_text(value);
  } else if (std::abs(value) < 99.995) {
    number = fixed(value, 2);
  } else {
    number = std::abs(value) < 99999.5 ? fixed(value, 0) : general(value, 3);
  }
  // The sign is always shown, and a difference that rounds to nothing is "+0.00".
  if (number.find_first_of("123456789") == std::string::npos && number[0] == '-')
    number.erase(0, 1);
  return number[0] == '-' ? number : "+" + number;
}

std::string format_change(double effect, const Metric& metric) {
  if (!std::isfinite(effect)) return "-";
  return with_unit(format_change_number(effect, metric),
                   is_relative(metric.kind) ? "%" : unit_text(metric));
}

std::string format_tolerance(double tolerance, const Metric& metric) {
  if (is_relative(metric.kind)) return format_share(tolerance);
  return with_unit(count_text(tolerance), unit_text(metric));
}

std::string format_p(double p) { return p < 0.0001 ? "< 0.0001" : general(p, 2); }

}  // namespace perfgate::report
