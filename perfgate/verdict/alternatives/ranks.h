// SPDX-License-Identifier: Apache-2.0
// ranks.h: which ranks intervals that hold together leave possible.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace perfgate::inline verdict {

// log_speed_up[x * count + y]: the log of the speed-up of x over y is at least this; minus infinity
// where nothing is known.
struct SpeedUpBounds {
  explicit SpeedUpBounds(std::size_t alternatives)
      : count(alternatives),
        log_speed_up(alternatives * alternatives, -std::numeric_limits<double>::infinity()) {}

  std::size_t count;
  std::vector<double> log_speed_up;
};

struct RankRange {
  int lo = 1;
  int hi = 1;
};

// One per alternative: 1 + those that are certainly faster, and their number less those that are
// certainly slower. Alternatives that no bound tells apart share ranks: they are tied. Bounds of
// two pairs add up to one of the third, which needs no interval of its own, as all hold together:
// what is faster than something that is faster than Y is faster than Y, and what is at least 7
// times as fast as the reference is faster than what is at most 2 times as fast. Bounds that
// contradict each other rank nothing.
std::vector<RankRange> PossibleRanks(SpeedUpBounds bounds);

}  // namespace perfgate::inline verdict
