// SPDX-License-Identifier: Apache-2.0
// utf8.h: stepping through text that should be UTF-8 but may be anything.
//
// A header alone, so that the library which benchmarks link can use it without linking more.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfgate::inline base {

// Length in bytes (1 to 4) of the well-formed UTF-8 character at `at` (Unicode 15, table 3-7: no
// overlong forms, no surrogates, nothing above U+10FFFF); 0 where there is none.
inline std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto in = [&](std::size_t i, unsigned lo, unsigned hi) {
    return byte(i) >= lo && byte(i) <= hi;
  };
  if (at >= text.size()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return in(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned lo = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned hi = lead == 0xED ? 0x9F : 0xBF;
    return in(1, lo, hi) && in(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned lo = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned hi = lead == 0xF4 ? 0x8F : 0xBF;
    return in(1, lo, hi) && in(2, 0x80, 0xBF) && in(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

// How many bytes at the end of `text` (0 to 3) are the start of a character whose rest may follow.
inline std::size_t PartialUtf8(std::string_view text) {
  for (std::size_t count = 1; count <= 3 && count <= text.size(); ++count) {
    // Each start that has a rest has one of the lowest or of the highest continuation bytes.
    const std::string end(text.substr(text.size() - count));
    if (utf8_length(end + "\x80\x80\x80", 0) > count ||
        utf8_length(end + "\xBF\xBF\xBF", 0) > count) {
      return count;
    }
  }
  return 0;
}

// The text with every byte that is not part of a well-formed character replaced by U+FFFD.
inline std::string well_formed_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    result += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return result;
}

// The text with every such byte shown as the four characters \xNN, NN in lower-case hexadecimal;
// text that is valid, control characters included, is returned unchanged.
inline std::string VisibleText(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string visible;
  visible.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length > 0) {
      visible += text.substr(at, length);
      at += length;
    } else {
      const auto byte = static_cast<unsigned char>(text[at++]);
      visible.append("\\x").append(1, kDigits[byte >> 4U]).append(1, kDigits[byte & 15U]);
    }
  }
  return visible;
}

}  // namespace perfgate::inline base
