// SPDX-License-Identifier: Apache-2.0
// simultaneous.h: intervals of several comparisons that hold together.
//
// A comparison is a series of round statistics d, as in signed_rank.h: independent over rounds,
// each symmetric about the comparison's own centre. Every comparison gets its signed-rank interval.
// All of them share one level c: a comparison of n rounds has the largest k with
// 2 P(W <= k) <= c, W being Wilcoxon's statistic over n rounds. So each interval alone covers its
// centre with probability at least 1 - c, whatever the shape of the noise.
//
// The level comes from joint sign flips (single-step minP: Westfall and Young, 1993). Every d is
// centred at its Hodges-Lehmann estimate; a sign vector over rounds negates whole rounds of all
// comparisons together, which keeps their dependence; of each sign vector the smallest two-sided p
// over the comparisons is noted. c is the largest level which at most 1 - confidence of the sign
// vectors reach, and never below (1 - confidence) / m of m comparisons (Bonferroni), which needs no
// sign vectors. The centres are estimated, so the joint coverage is not exact; docs/statistics.md
// has what it really is.
//
// Few rounds carry few levels: p is at least 2^(1-n). Where no level is small enough the intervals
// are the smallest and largest d, and `attained` says what they cover together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "perfgate/stats/inference/sign_flips.h"
#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::stats {

// d[i] was measured in round rounds[i]; rounds ascend. Comparisons of one round move together.
struct RoundSeries {
  std::vector<std::size_t> rounds;
  std::vector<double> d;
};

struct SimultaneousIntervals {
  // One per comparison. `attained` of an interval is the coverage of that comparison alone; not
  // valid below kMinimumRounds rounds.
  std::vector<SignedRank> comparisons;
  double attained = 0;  // coverage of all valid ones together, by the sign flips; 0: none is valid
  bool holds = false;   // attained reaches the confidence that was asked for
};

// series: each with at least one round. confidence in (0, 1). Comparisons of fewer than
// kMinimumRounds rounds have an estimate and no interval, and do not count. Throws
// std::invalid_argument for non-finite d, empty series, sizes that disagree, rounds that do not
// ascend. Time grows as flips x comparisons x rounds / 8. Where a series has more than
// kMostExactRounds rounds the level is Bonferroni's.
SimultaneousIntervals simultaneous_intervals(std::span<const RoundSeries> series,
                                             double confidence = 0.95, std::uint64_t seed = 1,
                                             std::size_t flips = kDefaultFlips);

// Rounds from which the intervals of so many comparisons hold with this confidence whatever the
// rounds say: the least n >= kMinimumRounds with comparisons x 2^(1-n) <= 1 - confidence.
int rounds_for_simultaneous(std::size_t comparisons, double confidence = 0.95);

}  // namespace perfgate::stats
