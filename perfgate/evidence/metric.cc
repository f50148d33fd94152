// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/metric.h"

#include "perfgate/evidence/enum_words.h"

namespace perfgate {

std::string join_words(std::span<const std::string_view> words) {
  std::string joined;
  for (const std::string_view word : words) {
    if (!joined.empty()) joined += ", ";
    joined += word;
  }
  return joined;
}

std::string_view to_string(Direction direction) { return enum_word(direction); }
std::string_view to_string(Kind kind) { return enum_word(kind); }
Direction parse_direction(std::string_view word) { return parse_enum<Direction>(word); }
Kind parse_kind(std::string_view word) { return parse_enum<Kind>(word); }

}  // namespace perfgate
