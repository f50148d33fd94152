// SPDX-License-Identifier: Apache-2.0
// ranks.h: which ranks intervals that hold together leave possible.
#pragma once

#include <cstddef>
#include <vector>

namespace perfgate::inline verdict {

// faster[x * count + y]: x is certainly faster than y.
struct CertainlyFaster {
  explicit CertainlyFaster(std::size_t alternatives)
      : count(alternatives), faster(alternatives * alternatives, false) {}

  std::size_t count;
  std::vector<bool> faster;
};

struct RankRange {
  int lo = 1;
  int hi = 1;
};

// One per alternative: 1 + those that are certainly faster, and their number less those that are
// certainly slower. Alternatives whose interval includes equality share ranks: they are tied. What
// is faster than something that is faster than Y is faster than Y: all intervals hold together, so
// this needs no interval of its own.
std::vector<RankRange> PossibleRanks(CertainlyFaster certain);

}  // namespace perfgate::inline verdict
