// SPDX-License-Identifier: Apache-2.0
// conclusion.h: what the rows of a comparison of alternatives come to.
#pragma once

#include "perfgate/evidence/alternatives.h"

namespace perfgate::inline verdict {

// Fills exit and summary from the rows. The exit is the first that applies: 14, 11 and 13 where an
// alternative is invalid, failed or not comparable in some case, 13 without any case, 77 where all
// cases are skipped, 12 where some case was not measured or the intervals do not hold with 95 %,
// else 0: which alternative is faster is an answer, never a failure.
void conclude(AlternativesVerdict& verdict);

}  // namespace perfgate::inline verdict
