// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/cell.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

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
  while (at < text.size() && digit(text[at])) plain += text[at++];
  // Groups of exactly three digits after one to three: anything else with a comma is a list.
  if (at > first && at - first <= 3) {
    while (at + 3 < text.size() && text[at] == ',' && digit(text[at + 1]) && digit(text[at + 2]) &&
           digit(text[at + 3]) && (at + 4 == text.size() || !digit(text[at + 4]))) {
      plain.append(text.substr(at + 1, 3));
      at += 4;
    }
  }
  int decimals = 0;
  number.integer = true;
  if (at + 1 < text.size() && text[at] == '.' && digit(text[at + 1])) {
    number.integer = false;
    plain += text[at++];
    while (at < text.size() && digit(text[at])) {
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
    if (error == std::errc() && digit(text[after]) && exponent <= 300) {
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

// Units have no digits in front and are short; "19 of 20" is no number with the unit "of 20".
bool unit_like(std::string_view text) {
  if (text.empty() || text.size() > 16 || digit(text.front())) return false;
  // What is left of an exponent that could not be read.
  if ((text[0] == 'e' || text[0] == 'E') &&
      text.find_first_not_of("+-0123456789", 1) == text.npos) {
    return false;
  }
  return text.find_first_of(" \t[](){};:=\"'`") == std::string_view::npos;
}

std::string_view stripped_markup(std::string_view text) {
  text = trimmed(text);
  for (const std::string_view mark : {"**", "__", "`", "*"}) {
    if (text.size() > 2 * mark.size() && text.starts_with(mark) && text.ends_with(mark)) {
      text = trimmed(text.substr(mark.size(), text.size() - 2 * mark.size()));
    }
  }
  // Marks of footnotes.
  for (const std::string_view mark : {"*", "\xE2\x80\xA0", "\xE2\x80\xA1", "^"}) {
    if (text.size() > mark.size() && text.ends_with(mark)) text.remove_suffix(mark.size());
  }
  return trimmed(text);
}

bool parse_interval(std::string_view text, Cell& cell) {
  const char open = text.front();
  const char shut = open == '[' ? ']' : open == '(' ? ')' : '\0';
  const std::size_t end = text.find(shut);
  if (shut == '\0' || end == std::string_view::npos) return false;
  const std::string_view inside = text.substr(1, end - 1);
  const std::string_view unit = trimmed(text.substr(end + 1));
  std::size_t cut = inside.find(", ");
  if (cut == std::string_view::npos) cut = inside.find(';');
  if (cut == std::string_view::npos && std::count(inside.begin(), inside.end(), ',') == 1) {
    cut = inside.find(',');
  }
  if (cut == std::string_view::npos || (!unit.empty() && !unit_like(unit))) return false;
  if (!parse_printed_number(inside.substr(0, cut), cell.low) ||
      !parse_printed_number(inside.substr(cut + 1), cell.high)) {
    return false;
  }
  for (PrintedNumber* number : {&cell.low, &cell.high}) {
    if (number->unit.empty() && !unit.empty()) set_unit(*number, unit);
  }
  cell.kind = CellKind::kInterval;
  return true;
}

bool parse_counts(std::string_view text, Cell& cell) {
  std::array<double, 3> values{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t end = text.find('/', at);
    if (i == 2) end = text.size();
    if (end == std::string_view::npos) return false;
    const std::string_view part = trimmed(text.substr(at, end - at));
    if (part.empty() || part.size() > 9 || !std::all_of(part.begin(), part.end(), digit)) {
      return false;
    }
    std::from_chars(part.data(), part.data() + part.size(), values[i]);
    at = std::min(end + 1, text.size());
  }
  cell.kind = CellKind::kCounts;
  cell.wins = values[0];
  cell.losses = values[1];
  cell.ties = values[2];
  return true;
}

// "12.0 [11.2, 12.7]", "12.0 (n=3)": a number and a remark, which may be its interval.
bool parse_with_remark(std::string_view text, Cell& cell) {
  const std::size_t open = text.find_first_of("[(");
  if (open == std::string_view::npos || open == 0) return false;
  Cell remark;
  remark.text = text.substr(open);
  const bool interval = parse_interval(remark.text, remark);
  if (!interval && text.back() != ')' && text.back() != ']') return false;
  if (!parse_printed_number(text.substr(0, open), cell.number)) return false;
  if (interval) {
    cell.low = remark.low;
    cell.high = remark.high;
    cell.has_interval = true;
    for (PrintedNumber* number : {&cell.low, &cell.high}) {
      if (number->unit.empty()) set_unit(*number, cell.number.unit);
    }
    if (cell.number.unit.empty()) set_unit(cell.number, cell.low.unit);
  }
  cell.kind = CellKind::kNumber;
  return true;
}

bool parse_with_stdev(std::string_view text, Cell& cell) {
  for (const std::string_view sign : {"+/-", "+-", "\xC2\xB1"}) {
    const std::size_t at = text.find(sign);
    if (at == std::string_view::npos) continue;
    if (!parse_printed_number(text.substr(0, at), cell.number) ||
        !parse_printed_number(text.substr(at + sign.size()), cell.stdev)) {
      return false;
    }
    // "12 +/- 3 ms": the unit belongs to both.
    if (cell.number.unit.empty()) set_unit(cell.number, cell.stdev.unit);
    if (cell.stdev.unit.empty()) set_unit(cell.stdev, cell.number.unit);
    cell.kind = CellKind::kNumber;
    cell.has_stdev = true;
    return true;
  }
  return false;
}

}  // namespace

Range range_of(const PrintedNumber& number) {
  return scaled({number.value - number.half_unit, number.value + number.half_unit}, number.scale);
}

Range exact_of(const PrintedNumber& number) {
  return {number.value * number.scale, number.value * number.scale};
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

Cell parse_cell(std::string_view raw) {
  Cell cell;
  cell.text = trimmed(raw);
  const std::string_view text = stripped_markup(cell.text);
  const std::string word = lower(text);
  for (const std::string_view nothing :
       {"", "-", "--", "\xE2\x80\x93", "\xE2\x80\x94", "n/a", "na", "none", "null", "tbd"}) {
    if (word == nothing) return cell;
  }
  for (const std::string_view infinite :
       {"inf", "+inf", "-inf", "infx", "infinity", "\xE2\x88\x9E"}) {
    if (word == infinite) cell.kind = CellKind::kInfinite;
  }
  if (word == "true" || word == "false" || word == "yes" || word == "no") {
    cell.kind = CellKind::kFlag;
  }
  if (cell.kind != CellKind::kEmpty) return cell;
  if (parse_interval(text, cell) || parse_counts(text, cell) || parse_with_stdev(text, cell)) {
    return cell;
  }
  if (parse_printed_number(text, cell.number)) {
    cell.kind = CellKind::kNumber;
  } else if (!parse_with_remark(text, cell)) {
    cell.kind = CellKind::kText;
  }
  return cell;
}

void adopt_unit(Cell& cell, std::string_view unit) {
  if (unit.empty()) return;
  for (PrintedNumber* number : {&cell.number, &cell.stdev, &cell.low, &cell.high}) {
    if (number->unit.empty()) set_unit(*number, unit);
  }
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
