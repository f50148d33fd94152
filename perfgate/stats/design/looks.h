// SPDX-License-Identifier: Apache-2.0
// looks.h: the round counts at which a running gate may decide, and the error each may spend.
//
// Chosen before the first result and never changed after it: between looks nothing is tested.
#pragma once

#include <vector>

namespace perfgate::stats {

// At `rounds` rounds every undecided column is tested: PASS always; FAIL at suite level alpha, or
// not at all where alpha is 0. earlier: as sequential_level (signed_rank.h) takes it.
struct Look {
  int rounds = 0;
  double alpha = 0.0;
  int earlier = 0;
};

// 6: 0, 10: .003, 16: .002, 24: .002, 40: .003. The alphas add up to 1 %.
std::vector<Look> default_looks();

// Looks for a budget of max_rounds rounds and a total suite error alpha in (0, 1).
//
// Looks are the members of 6, 10, 16, 24, 40 that are <= max_rounds. With exact_end (the user named
// a number of rounds), a max_rounds >= 6 that is no member becomes the last look, also beyond 40:
// plan_looks(.01, 60, true) looks at 6, 10, 16, 24, 40 and 60.
//
// alpha is divided in the proportions 0 : 3 : 2 : 2 : 3 of the default looks; a last look that is
// no member weighs 3, as the default last look does. The look at 40 keeps its weight when a later
// one follows, so that naming more rounds adds a look and takes none away.
//
// With any other column far below its tolerance the smallest attainable p at n rounds is 2 / 2^n,
// so a FAIL look whose alpha is below that could never fail and would waste its share. The earliest
// such look loses its alpha (it can still PASS), the others share it, and the rule is applied
// again. All alphas may end up 0: such a plan can pass or stay inconclusive only; see can_fail().
//
// Empty when max_rounds < 6. Throws std::invalid_argument for alpha outside (0, 1).
std::vector<Look> plan_looks(double alpha, int max_rounds, bool exact_end = false);

// Whether any look may FAIL.
bool can_fail(const std::vector<Look>& looks);

}  // namespace perfgate::stats
