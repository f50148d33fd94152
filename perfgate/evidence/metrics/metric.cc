// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/metrics/metric.h"

#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline evidence {

std::string_view to_string(Direction direction) { return enum_word(direction); }
std::string_view to_string(Kind kind) { return enum_word(kind); }
Direction parse_direction(std::string_view word) { return parse_enum<Direction>(word); }
Kind parse_kind(std::string_view word) { return parse_enum<Kind>(word); }

}  // namespace perfgate::inline evidence
