// SPDX-License-Identifier: Apache-2.0
// parity.h: is a candidate as fast as a reference, within a margin?
//
// d: [n] round statistics, log(candidate/reference), positive = candidate slower. With
// m = log(1 + margin), and L, U the signed-rank bounds (signed_rank.h):
//   MATCH       -m < L and U < m      (two one-sided tests: Schuirmann, 1987)
//   WIN, LOSS   U < -m, L > m
//   UNRESOLVED  neither, or n < 6
// A MATCH is claimed wrongly at a true ratio on the margin with probability <= 5 %.
#pragma once

#include <span>

#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::stats {

enum class ParityOutcome { kUnresolved, kMatch, kWin, kLoss };

struct Parity {
  ParityOutcome outcome = ParityOutcome::kUnresolved;
  int rounds = 0;             // rounds used
  double estimate = 0.0;      // Hodges-Lehmann
  Interval match;             // decides MATCH: CI90, or at sequential_level
  Interval superiority;       // decides WIN and LOSS: CI95, or at sequential_level
  bool non_inferior = false;  // U of `match` < m: not slower than the margin allows
};

// One test after a fixed number of rounds: CI90 for MATCH, CI95 for WIN and LOSS.
// margin: relative, > 0 (.05 = 5 %). Throws std::invalid_argument for empty or non-finite d.
Parity parity_fixed(std::span<const double> d, double margin);

// After d.size() rounds of a sequence of looks: both intervals at sequential_level(n).
Parity parity_at_look(std::span<const double> d, double margin);

// Looks in turn at the round counts `looks` (ascending, each >= 6) that d reaches; the first result
// that is not UNRESOLVED, else the one over all of d up to the last look.
Parity parity_sequential(std::span<const double> d, double margin, std::span<const int> looks);

}  // namespace perfgate::stats
