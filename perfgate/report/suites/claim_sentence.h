// SPDX-License-Identifier: Apache-2.0
// claim_sentence.h: what may be said of one case, in a sentence with all that a reader needs to
// judge it.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

// "sort/n:16 is 5.02 % slower (95 % interval +4.81 % to +5.23 %, n = 10 rounds, p = 0.002,
// tolerance 2 %): regression, claim strong." Text from elsewhere is not escaped.
std::string ClaimSentence(const ColumnVerdict& column);

}  // namespace perfgate::report
