// SPDX-License-Identifier: Apache-2.0
// signed_rank.h: the Hodges-Lehmann estimate and the exact interval around it.
//
// d: [n] round statistics, log(B/A), positive = slower. Independent, each symmetric about one
// common centre (roles drawn by a fair coin per round make it so when nothing changed).
//
// The Walsh averages are (d_i + d_j) / 2 for i <= j: N = n (n + 1) / 2 of them. Their median is the
// estimate (Hodges and Lehmann, 1963). The k-th from either end bounds the centre, where k comes
// from the exact null distribution of Wilcoxon's signed-rank statistic (Wilcoxon, 1945): the sum of
// the ranks whose sign is flipped, over all 2^n equally likely sign vectors. In other words this is
// the sign-flip (Rademacher wild) bootstrap of the signed-rank statistic, enumerated exactly. It
// has no seed and no Monte-Carlo error.
//
// Levels are per side: a = .025 gives the two-sided 95 % interval, .05 the 90 % one.
// Every function throws std::invalid_argument for empty or non-finite d and for a outside (0, .5].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perfgate/stats/estimate/interval.h"

namespace perfgate::stats {

// Fewest rounds that carry an interval of 95 % confidence: 2^(1-n) <= .05 needs n >= 6.
inline constexpr int kMinimumRounds = 6;

// Median of the Walsh averages. Time n^2 up to 500 rounds, n log n above (walsh_select.h).
double hodges_lehmann(std::span<const double> d);

// A cut-off for n rounds at per-side level a, to be shared by all columns with n rounds.
struct SignedRankCutoff {
  std::int64_t n = 0;
  std::int64_t k = -1;    // 0-based rank of the lower bound among Walsh averages; -1: none exists
  double attained = 0.0;  // two-sided coverage, 1 - 2 P(W <= k); 0 when k is -1
};

// Largest number of rounds whose null distribution is computed exactly: 10 ms. Above, it is the
// normal one with the first Edgeworth term and continuity correction, which at 200 rounds is off by
// less than 1e-6; `attained` is then that approximation.
inline constexpr std::int64_t kMostExactRounds = 200;

// k(n, a) = largest k with P(W <= k) <= a, or -1. The counts are exact integers over 2^n while n <=
// 53 (64 where long double is wider than double) and rounded to that precision up to
// kMostExactRounds.
SignedRankCutoff signed_rank_cutoff(std::int64_t n, double a);

// P(W <= k) for k = 0 ... floor(n (n + 1) / 4), the lower half of the null distribution, which is
// symmetric. n in [1, kMostExactRounds].
std::vector<double> signed_rank_null_cdf(std::int64_t n);

// lo is also the lower bound of one-sided level 1 - a, hi the upper one. Invalid when n is too
// small for a; note that n = 5 is enough for a = .05, so a verdict must check kMinimumRounds
// itself.
Interval signed_rank_interval(std::span<const double> d, double a);

// The same with the cut-off already known. Throws when cutoff.n is not d.size().
Interval signed_rank_interval(std::span<const double> d, const SignedRankCutoff& cutoff);

// Estimate and interval together, for half the work.
struct SignedRank {
  double estimate = 0.0;
  Interval interval;
};
SignedRank signed_rank(std::span<const double> d, const SignedRankCutoff& cutoff);

// p of "the centre is at least `bound`", one-sided: small where d lies below it. Dual to the
// intervals: hi of signed_rank_interval(d, a) is below the bound exactly where p <= a.
double signed_rank_p_below(std::span<const double> d, double bound);

// Per-side level of the interval that stays valid under early stopping: max(.01, 2^-n). n >= 1.
// At n = 6 this is [min, max] with coverage 1 - 2^(1-n) = 96.875 %.
//
// earlier: candidates of one change that were tried before this one. Each shares the chance to pass
// by luck: the level is .01 / (1 + earlier), which too few rounds cannot reach at all.
double sequential_level(int n, int earlier = 0);

// Smallest and largest value and the probability 1 - 2^(1-n) that they enclose the median of a
// continuous distribution. What is shown instead of an interval when n < 6.
struct Range {
  double lo = 0.0;
  double hi = 0.0;
  double confidence = 0.0;
};
Range min_max(std::span<const double> d);

}  // namespace perfgate::stats
