// SPDX-License-Identifier: Apache-2.0
// suite_verdict.h: from a session of two arms to the verdict of the whole suite and its exit code.
#pragma once

#include <span>

#include "perfgate/evidence/verdict.h"

namespace perfgate::inline verdict {

// Decides a recorded or finished session: arm 0 is the baseline, arm 1 the candidate. Pure: the
// same session gives the same verdict. A metric that the arms report in different slices is invalid
// (one_sided.h). Throws Error(kData) when the session has not two arms.
// Cases that were measured over layouts in a second stage have the verdict of that stage.
SuiteVerdict decide(const Session& session);

// The verdict on two executables with one digest, without measuring: every case no_regression but
// those with a fault (a listing that failed, an expected case that is not there). session: listed,
// without rounds.
SuiteVerdict decide_identical(const Session& session);

// Whether the column says that only one arm reports its metric: `missing` where it is the baseline,
// `new` where it is the candidate.
bool is_one_sided(const ColumnVerdict& column);

// decide() in two steps, for who changes `gated` in between: the columns, then what follows from
// them together, which is their order, exit, summary and the warning about hide_limit.
SuiteVerdict judge_columns(const Session& session);
void conclude(const Session& session, SuiteVerdict& suite);

// The exit of a set of columns: the first of invalid, failed, regression, not_comparable or
// missing, suspected, inconclusive that a gated column has. An inconclusive column counts unless
// PassesInconclusive (column_verdict.h). All skipped: kSkipped. No column at all: kNotComparable.
Exit suite_exit(std::span<const ColumnVerdict> columns, double hide_limit);

}  // namespace perfgate::inline verdict
