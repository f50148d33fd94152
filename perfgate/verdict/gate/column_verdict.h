// SPDX-License-Identifier: Apache-2.0
// column_verdict.h: from one column's rounds and look state to its verdict, claim and plan.
#pragma once

#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::inline verdict {

// What the suite knows and one column needs.
struct ColumnContext {
  double alpha_last = 0;        // of the last FAIL look, for planning
  int undecided = 1;            // gated columns still open at the end
  bool reuses_layouts = false;  // rounds are then not independent
};

// The printed interval is the one at per-side level max(.01, 2^-n) over the rounds at which the
// column left, or over all its rounds when it is undecided; below 6 rounds there is only min..max.
// An improvement is named as a regression is, by the test of the suite, with the arms exchanged;
// what only the interval shows is no_regression, directional. Claims: strong needs the test and the
// interval wholly beyond the tolerance, directional that it excludes 0.
ColumnVerdict judge_column(const Session& session, const Column& column, const BothSides& states,
                           const ColumnContext& context);

// Whether the candidate's own rounds spread more than twice as wide as the baseline's, and not by
// chance (level 1 %). An honest noisy machine makes both arms noisy; a program that calls rand()
// makes one.
bool IsNoisier(const ColumnVerdict& verdict);

// Whether an inconclusive time or rate may let a gate exit 0, with a warning: from 6 rounds, where
// its interval ends below hide_limit, its estimate is within the tolerance and the candidate is not
// the noisier arm. Never where the code is unchanged and only the link differs.
bool PassesInconclusive(const ColumnVerdict& verdict, double hide_limit);

}  // namespace perfgate::inline verdict
