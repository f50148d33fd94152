// SPDX-License-Identifier: Apache-2.0
// search.h: which commit to look at next, and what is known of the first bad one.
//
// As git bisect does: the commits between a good and a bad one are halved until two neighbours
// differ. A commit that cannot be judged is stepped around, nearest first.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "perfgate/evidence/bisect/bisect.h"

namespace perfgate::inline verdict {

// The first bad commit lies in (last_good, first_bad]. Between them are only open and skipped ones.
struct BisectRange {
  std::size_t last_good = 0;
  std::size_t first_bad = 0;
};

// answers: of the commits from the good end (index 0, good) to the bad end (the last one, bad).
// A good commit after a bad one is believed less: the first bad one counts. Throws
// std::invalid_argument for fewer than two commits, or ends that are not good and bad.
BisectRange RangeOf(std::span<const BisectAnswer> answers);

// The open commit that is nearest to the middle of the range, the earlier of two; none where
// nothing is left to look at.
std::optional<std::size_t> NextCommit(std::span<const BisectAnswer> answers);

// Looks that are left at most where nothing is skipped.
int LooksLeft(std::span<const BisectAnswer> answers);

}  // namespace perfgate::inline verdict
