// SPDX-License-Identifier: Apache-2.0
// rank_sum.h: the Mann-Whitney U test, for comparison with tools that use it.
//
// perfgate decides nothing with it. On recorded measurements of identical code it calls 42 % of
// cases different at p < .05, because repetitions inside one process are not independent (proof/).
#pragma once

#include <span>

namespace perfgate::stats {

struct RankSum {
  double u = 0.0;  // pairs (i, j) with a_i < b_j, ties count one half; in [0, |a| |b|]
  double p_two_sided = 1.0;
  double p_greater = 1.0;  // one-sided: b tends to be larger (slower) than a
  bool exact = false;      // from the exact null distribution; else normal with tie and continuity
                           // correction
};

// a, b: independent samples, each >= 1 value, finite, same unit (Mann and Whitney, 1947).
// Exact when there are no ties and both samples have at most 50 values. All values tied: p = 1.
// Throws std::invalid_argument for empty or non-finite input.
RankSum rank_sum_test(std::span<const double> a, std::span<const double> b);

}  // namespace perfgate::stats
