// SPDX-License-Identifier: Apache-2.0
// stored.h: sessions measured now against sessions recorded earlier.
//
// A session is one row: per column the log of its median (or mean) time. The test permutes whole
// sessions (single-step max-T over all ways to choose the candidate rows; Westfall and Young,
// 1993), so it is exact when sessions are exchangeable. A machine that drifts breaks that, and no
// rule on stored numbers repairs it: the best grade is therefore "suspected", to be confirmed by an
// interleaved comparison.
//
//   y = [baseline; candidate - tau],  u = (y - column mean) / sqrt(sum of squared deviations)
//   T_b(S) = sum of u over the rows in S;  p_b = #{S : max_b' T_b'(S) >= T_b(candidate) - 1e-9} /
//   #S
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perfgate/stats/estimate/interval.h"
#include "perfgate/stats/estimate/matrix.h"

namespace perfgate::stats {

// What a comparison of K baseline and k candidate sessions can amount to:
//   none       K < 2 or k < 2: the difference is shown without a grade
//   advisory   k < 3, or the smallest possible p, 1 / C(K+k, k), is above alpha
//   suspected  otherwise; 7 + 3 sessions are enough for alpha = 1 %
enum class StoredStrength { kNone, kAdvisory, kSuspected };
StoredStrength stored_strength(std::size_t baseline_sessions, std::size_t candidate_sessions,
                               double alpha = 0.01);

// C(n, k) as a double: exact up to 2^53, infinity on overflow.
double binomial(std::size_t n, std::size_t k);

struct StoredColumn {
  double delta = 0.0;       // mean(candidate) - mean(baseline), log units, tolerance not subtracted
  double p_adjusted = 1.0;  // over all columns; how sure the delta exceeds the tolerance
  // delta +- t_{.975, K+k-2} s_pooled sqrt(1/K + 1/k): .95 for independent normal sessions of one
  // spread. For display; decides nothing. None when K + k < 3.
  std::optional<NominalInterval> interval;
  StoredStrength verdict = StoredStrength::kNone;  // the strength where p <= alpha, else none
};

struct Stored {
  std::size_t baseline_sessions = 0;   // K
  std::size_t candidate_sessions = 0;  // k
  double permutations = 0.0;           // row choices compared, observed one included
  double min_p = 1.0;                  // 1 / permutations
  bool exact = true;                   // all C(K+k, k) were enumerated
  StoredStrength strength = StoredStrength::kNone;
  std::vector<StoredColumn> columns;
};

// Above this number of row choices a random sample of kSampledChoices of them is taken.
inline constexpr double kMaxEnumeratedChoices = 1e6;
inline constexpr std::size_t kSampledChoices = 20000;

// baseline: K x columns, candidate: k x columns, natural logs; K, k >= 1; taus: [columns].
// Throws std::invalid_argument for non-finite values (also where their squares overflow), sizes
// that disagree or alpha outside (0, 1).
Stored compare_stored(const Matrix& baseline, const Matrix& candidate, std::span<const double> taus,
                      double alpha = 0.01, std::uint64_t seed = 1);

}  // namespace perfgate::stats
