// SPDX-License-Identifier: Apache-2.0
// sequential_gate.h: PASS, FAIL or undecided for every column of a suite, look by look.
//
// d = log(B/A) per round, positive = slower. A column is one gated case x metric; its tolerance is
// tau = log(1 + tol). At a look with n rounds and level alpha:
//   1. every undecided column whose upper bound U at per-side level max(.01, 2^-n) is below tau
//      passes and leaves;
//   2. if alpha > 0, the step-down max-T test (max_t.h) runs on the rest with their first n rounds;
//      adjusted p <= alpha fails and leaves.
// False FAIL of a suite whose columns are all at their tolerance: at most the sum of the alphas (1
// % by default). False PASS of one column at its tolerance: 3.9 % over all looks.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/estimate/matrix.h"
#include "perfgate/stats/inference/signed_rank.h"

namespace perfgate::stats {

enum class Outcome { kUndecided, kPass, kFail };

struct ColumnRule {
  double tau = 0.0;          // tolerance in the unit of d
  bool closed_pass = false;  // U <= tau passes: for counts, where U can equal tau exactly
};

// What is known of a column after the last look that examined it. All NaN or 0 before the first.
struct ColumnState {
  Outcome outcome = Outcome::kUndecided;
  int rounds = 0;  // of the last look that examined it
  // Step-down p of that look. NaN where the column was not tested for FAIL: no alpha, or it passed.
  double p_adjusted = std::numeric_limits<double>::quiet_NaN();
  double estimate =
      std::numeric_limits<double>::quiet_NaN();  // Hodges-Lehmann, first `rounds` rounds
  Interval interval = no_interval();  // at sequential_level(rounds): the interval to print
};

// Applies one look to all undecided columns.
//
// rules, d, states: one entry per column, in the same order. d[c] holds the rounds of column c so
// far; only the first look.rounds are used. A column with fewer rounds (its case failed in some)
// stays as it is and outside the family. Decided columns are not read. The result does not depend
// on threads (0: one per processor). Throws std::invalid_argument when sizes disagree, look.rounds
// < 6 or a used value is not finite; the states are then unchanged.
void apply_look(const Look& look, std::span<const ColumnRule> rules,
                const std::vector<std::vector<double>>& d, std::vector<ColumnState>& states,
                std::size_t threads = 1);

// FAIL if any column failed, else undecided if any is (or there is no column), else PASS.
Outcome suite_outcome(std::span<const ColumnState> states);

struct GateRun {
  Outcome suite = Outcome::kUndecided;
  int rounds = 0;  // rounds that the suite needed: the maximum over its columns
  std::vector<ColumnState> columns;
};

// Applies every look in turn to recorded data, as the running gate would have.
//
// d: rounds x columns; taus: [columns]. Columns left undecided report all rounds up to the last
// look (their interval and estimate use them; p_adjusted stays that of the last look reached).
GateRun run_gate(const Matrix& d, std::span<const double> taus, std::span<const Look> looks);

}  // namespace perfgate::stats
