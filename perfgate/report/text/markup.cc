// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/markup.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::report {
namespace {

unsigned CodePoint(std::string_view character) {
  if (character.size() == 1) return static_cast<unsigned char>(character[0]);
  unsigned point = static_cast<unsigned char>(character[0]) & (0xFFU >> (character.size() + 1));
  for (const char c : character.substr(1)) {
    point = point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return point;
}

// Control characters, the marks and isolates that change the direction of what follows, line
// separators and the points that XML leaves out.
bool IsShownAsEscape(unsigned point) {
  const auto in = [&](unsigned lo, unsigned hi) { return point >= lo && point <= hi; };
  return point < 0x20 || in(0x7F, 0x9F) || point == 0x61C || in(0x200E, 0x200F) ||
         in(0x2028, 0x202E) || in(0x2066, 0x2069) || in(0xFFFE, 0xFFFF);
}

std::string MarkupCharacter(std::string_view character) {
  const unsigned point = CodePoint(character);
  if (point == '\t') return "\\t";
  if (point == '\n') return "\\n";
  if (point < 0x80 && IsShownAsEscape(point)) return EscapedByte(character[0]);
  if (IsShownAsEscape(point)) return fmt::format("\\u{{{:x}}}", point);
  switch (point) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return std::string(character);
  }
}

}  // namespace

std::string MarkupText(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    result += length == 0 ? EscapedByte(text[at]) : MarkupCharacter(text.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

}  // namespace perfgate::report
