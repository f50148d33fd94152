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
    if (part.empty() || part.size() > 9 || !std::all_of(part.begin(), part.end(), is_digit)) {
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

}  // namespace perfgate::audit
