// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/one_line.h"

#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::inline base {

std::string one_line_tail(std::string_view text, std::size_t limit) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  const bool cut = text.size() > limit;
  if (cut) text.remove_prefix(text.size() - limit);
  // The cut may have split a character.
  while (cut && !text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) {
    text.remove_prefix(1);
  }
  std::string line = cut ? "..." : "";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const auto byte = static_cast<unsigned char>(text[i]);
    if (text[i] == '\n') {
      line += " | ";
    } else if (length == 0 || byte < 0x20 || byte == 0x7F) {
      line += EscapedByte(text[i]);
    } else {
      line += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return line;
}

std::string with_tail(std::string text, const std::string& tail) {
  if (!tail.empty()) text += "; last output: " + tail;
  return text;
}

}  // namespace perfgate::inline base
