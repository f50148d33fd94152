// SPDX-License-Identifier: Apache-2.0
// parity_exit.h: what the columns of a parity verdict come to.
#pragma once

#include <array>
#include <span>
#include <string>

#include "perfgate/evidence/parity.h"

namespace perfgate::inline verdict {

// The first that a primary, gated column has of: invalid 14, failed 11, loss 10, not comparable or
// missing 13, suspected 15, unresolved or a match that is vacuous 12, else 0. A match whose vacuity
// is not known is 13 where the baseline does not compare, else 12. All skipped: 77. None at
// all: 13.
Exit parity_exit(std::span<const ParityColumn> columns);

// Primary, gated columns per outcome; they add up to the number of such columns.
std::array<std::size_t, kParityStatusWords.size()> parity_counts(
    std::span<const ParityColumn> columns);

// "1 loss, 2 match (1 vacuous)"
std::string parity_summary(std::span<const ParityColumn> columns);

}  // namespace perfgate::inline verdict
