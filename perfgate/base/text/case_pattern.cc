// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/case_pattern.h"

#include <fmt/format.h>

#include <charconv>

#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::inline base {
namespace {

constexpr std::string_view kSigns = R"(\^$*+?()[]{}|)";

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string WrittenByte(char c) {
  if (c == '\t') return "\\t";
  if (c == '\n') return "\\n";
  return EscapedByte(c);
}

void AppendUtf8(std::string& text, unsigned point) {
  const auto continuation = [&](unsigned shift) {
    text += static_cast<char>(0x80U | ((point >> shift) & 0x3FU));
  };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0U | point >> 6U);
    continuation(0);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0U | point >> 12U);
    continuation(6);
    continuation(0);
  } else {
    text += static_cast<char>(0xF0U | point >> 18U);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

// Length of "\u{20ac}" at the start of the text, and the number in it; 0 for any other text.
std::size_t WrittenPoint(std::string_view text, unsigned& point) {
  constexpr std::string_view kOpen = "\\u{";
  constexpr unsigned kLastPoint = 0x10FFFF;
  if (!text.starts_with(kOpen)) return 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + kOpen.size(), end, point, 16);
  if (error != std::errc{} || rest == end || *rest != '}' || point > kLastPoint) return 0;
  return static_cast<std::size_t>(rest - text.data()) + 1;
}

}  // namespace

std::string WrittenCharacter(std::string_view character) {
  unsigned point = static_cast<unsigned char>(character[0]) & (0xFFU >> (character.size() + 1));
  for (const char c : character.substr(1)) {
    point = point << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return fmt::format("\\u{{{:x}}}", point);
}

std::string NameAsPattern(std::string_view name) {
  std::string result;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t length = utf8_length(name, at);
    if (length > 1) {
      result += WrittenCharacter(name.substr(at, length));
    } else if (length == 0 || IsControl(name[at])) {
      result += WrittenByte(name[at]);
    } else {
      if (kSigns.find(name[at]) != std::string_view::npos) result += '\\';
      result += name[at];
    }
    at += length == 0 ? 1 : length;
  }
  return result;
}

std::string ExpandedPattern(std::string_view pattern) {
  std::string result;
  for (std::size_t at = 0; at < pattern.size();) {
    unsigned point = 0;
    const std::string_view rest = pattern.substr(at);
    if (const std::size_t length = WrittenPoint(rest, point); length > 0) {
      AppendUtf8(result, point);
      at += length;
      continue;
    }
    // A backslash and what it stands before stay together: in "\\u{41}" it stands for itself.
    const std::size_t step = rest[0] == '\\' && rest.size() > 1 ? 2 : 1;
    result += rest.substr(0, step);
    at += step;
  }
  return result;
}

std::string PatternProblem(std::string_view pattern, std::string_view reason) {
  if (!pattern.starts_with("*")) return std::string(reason);
  return "'*' repeats what stands before it; for any text write '." + std::string(pattern) + "'";
}

}  // namespace perfgate::inline base
