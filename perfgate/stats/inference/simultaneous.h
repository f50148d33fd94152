// SPDX-License-Identifier: Apache-2.0
// simultaneous.h: intervals for the differences of several arms that all hold at once.
//
// Each interval is that of the signed-rank test, as for two arms (signed_rank.h), at a level that
// the whole family shares: the critical value of the largest |W - E W| over all pairs when the arms
// do not differ (max-T; Westfall and Young, 1993). Its distribution is taken from the rounds
// themselves: the arms' effects are subtracted and the arms of every round are permuted at random,
// which is what drawing their order by lot makes exchangeable. So it is narrower than Bonferroni's
// correction, because differences of the same arms depend on each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perfgate/stats/estimate/interval.h"
#include "perfgate/stats/estimate/matrix.h"

namespace perfgate::stats {

// The difference y[., second] - y[., first].
struct ArmPair {
  std::size_t first = 0;
  std::size_t second = 0;
};

// All pairs of `arms` arms, first < second; or each other arm against one.
std::vector<ArmPair> AllPairs(std::size_t arms);
std::vector<ArmPair> AgainstReference(std::size_t arms, std::size_t reference);

struct SimultaneousInterval {
  ArmPair pair;
  double estimate = 0;  // Hodges-Lehmann
  Interval interval;    // invalid where the rounds are too few for the level
};

struct Simultaneous {
  double attained = 0;  // share of permutations in which all intervals hold
  std::vector<SimultaneousInterval> intervals;
};

inline constexpr std::size_t kPermutations = 4000;

// y: rounds x arms, at least 2 rounds and 2 arms, finite, on the scale on which arms differ by a
// shift (logs of times). confidence: of all intervals together, in (0, 1). Deterministic given the
// seed. Throws std::invalid_argument otherwise.
Simultaneous SimultaneousIntervals(const Matrix& y, std::span<const ArmPair> pairs,
                                   double confidence = 0.95, std::uint64_t seed = 1);

}  // namespace perfgate::stats
