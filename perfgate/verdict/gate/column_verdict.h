// SPDX-License-Identifier: Apache-2.0
// column_verdict.h: from one column's rounds and look state to its verdict, claim and plan.
#pragma once

#include "perfgate/evidence/verdict.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::inline verdict {

// What the suite knows and one column needs.
struct ColumnContext {
  double alpha_last = 0;  // of the last FAIL look, for planning
  int undecided = 1;      // gated columns still open at the end
};

// The printed interval is the one at per-side level max(.01, 2^-n) over the rounds at which the
// column left, or over all its rounds when it is undecided; below 6 rounds there is only min..max.
// Claims: strong needs the interval wholly beyond the tolerance, directional
// that it excludes 0.
ColumnVerdict judge_column(const Session& session, const Column& column,
                           const stats::ColumnState& state, const ColumnContext& context);

}  // namespace perfgate::inline verdict
