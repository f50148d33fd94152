// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/printed_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

struct Unit {
  std::string_view name;
  std::string_view dimension;
  double scale;
};

constexpr std::array kUnits = {
    Unit{"ns", "s", 1e-9},
    Unit{"us", "s", 1e-6},
    Unit{"\xC2\xB5s", "s", 1e-6},
    Unit{"\xCE\xBCs", "s", 1e-6},
    Unit{"ms", "s", 1e-3},
    Unit{"s", "s", 1},
    Unit{"sec", "s", 1},
    Unit{"min", "s", 60},
    Unit{"h", "s", 3600},
    Unit{"B", "B", 1},
    Unit{"kB", "B", 1e3},
    Unit{"KB", "B", 1e3},
    Unit{"MB", "B", 1e6},
    Unit{"GB", "B", 1e9},
    Unit{"TB", "B", 1e12},
    Unit{"KiB", "B", 1024},
    Unit{"MiB", "B", 1024.0 * 1024},
    Unit{"GiB", "B", 1024.0 * 1024 * 1024},
};

// The digits at the front of the text: "1,234.5e-3". Returns how many characters they take, 0 for
// none.
std::size_t scan_digits(std::string_view text, PrintedNumber& number) {
  std::string plain;
  std::size_t at = 0;
  bool minus = false;
  constexpr std::string_view kMinus = "\xE2\x88\x92";
  if (text.starts_with(kMinus)) {
    minus = true;
    at = kMinus.size();
  } else if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
    minus = text[at] == '-';
    number.signed_plus = text[at] == '+';
    ++at;
  }
  const std::size_t first = at;
  while (at < text.size() && is_digit(text[at])) plain += text[at++];
  // Groups of exactly three digits after one to three: anything else with a comma is a list.
  if (at > first && at - first <= 3) {
    while (at + 3 < text.size() && text[at] == ',' && is_digit(text[at + 1]) &&
           is_digit(text[at + 2]) && is_digit(text[at + 3]) &&
           (at + 4 == text.size() || !is_digit(text[at + 4]))) {
      plain.append(text.substr(at + 1, 3));
      at += 4;
    }
  }
  int decimals = 0;
  number.integer = true;
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    number.integer = false;
    plain += text[at++];
    while (at < text.size() && is_digit(text[at])) {
      plain += text[at++];
      ++decimals;
    }
  }
  if (plain.empty()) return 0;
  if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t after = at + 1;
    if (text[after] == '+' || text[after] == '-') ++after;
    int exponent = 0;
    const auto [end, error] =
        std::from_chars(text.data() + after, text.data() + text.size(), exponent);
    if (error == std::errc() && is_digit(text[after]) && exponent <= 300) {
      const bool negative = text[after - 1] == '-';
      plain.append("e").append(negative ? "-" : "").append(std::to_string(exponent));
      decimals += negative ? exponent : -exponent;
      at = static_cast<std::size_t>(end - text.data());
      number.integer = false;
    }
  }
  const auto [end, error] =
      std::from_chars(plain.data(), plain.data() + plain.size(), number.value);
  if (error != std::errc() || !std::isfinite(number.value)) return 0;
  if (minus) number.value = -number.value;
  number.half_unit = 0.5 * std::pow(10.0, -decimals);
  return std::isfinite(number.half_unit) ? at : 0;
}

}  // namespace

Range range_of(const PrintedNumber& number) {
  return scaled({number.value - number.half_unit, number.value + number.half_unit}, number.scale);
}

Range exact_of(const PrintedNumber& number) {
  return {number.value * number.scale, number.value * number.scale};
}

void set_unit(PrintedNumber& number, std::string_view unit) {
  number.unit = unit;
  number.scale = 1;
  number.dimension = unit == "x" || unit == "X" || unit == "\xC3\x97" ? "" : std::string(unit);
  for (const Unit& known : kUnits) {
    if (known.name == unit) {
      number.scale = known.scale;
      number.dimension = known.dimension;
    }
  }
}

bool unit_like(std::string_view text) {
  if (text.empty() || text.size() > 16 || is_digit(text.front())) return false;
  // What is left of an exponent that could not be read.
  if ((text[0] == 'e' || text[0] == 'E') &&
      text.find_first_not_of("+-0123456789", 1) == std::string_view::npos) {
    return false;
  }
  return text.find_first_of(" \t[](){};:=\"'`") == std::string_view::npos;
}

bool parse_printed_number(std::string_view text, PrintedNumber& number) {
  number = {};
  text = trimmed(text);
  if (text.starts_with('~')) {
    number.approximate = true;
    text = trimmed(text.substr(1));
  }
  const std::size_t used = scan_digits(text, number);
  if (used == 0) return false;
  const std::string_view unit = trimmed(text.substr(used));
  if (unit.empty()) return true;
  if (!unit_like(unit) || unit.front() == '.' || unit.front() == '-' || unit.front() == ',' ||
      unit.front() == '/') {
    return false;
  }
  set_unit(number, unit);
  return true;
}

std::string number_text(double value, double half_unit) {
  int decimals = 0;
  if (half_unit > 0) {
    decimals = std::clamp(static_cast<int>(std::lround(-std::log10(2 * half_unit))), 0, 12);
  }
  std::array<char, 400> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  std::string text(buffer.data(), static_cast<std::size_t>(std::max(size, 0)));
  if (text.find_first_not_of("-0.") == std::string::npos && text.starts_with('-')) text.erase(0, 1);
  return text;
}

std::string range_text(Range allowed, const PrintedNumber& printed) {
  // One digit more than printed, so that the ends can be told from the cell.
  const double half = printed.half_unit > 0 ? printed.half_unit / 10 : 0.05;
  const std::string lo = number_text(allowed.lo / printed.scale, half);
  const std::string hi = number_text(allowed.hi / printed.scale, half);
  return lo == hi ? lo : lo + " to " + hi;
}

}  // namespace perfgate::audit
