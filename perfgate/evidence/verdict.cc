// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/verdict.h"

#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline evidence {

std::string_view to_string(Verdict verdict) { return enum_word(verdict); }
std::string_view to_string(Claim claim) { return enum_word(claim); }
Verdict parse_verdict(std::string_view word) { return parse_enum<Verdict>(word); }
Claim parse_claim(std::string_view word) { return parse_enum<Claim>(word); }

}  // namespace perfgate::inline evidence
