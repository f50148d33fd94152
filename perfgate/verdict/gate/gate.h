// SPDX-License-Identifier: Apache-2.0
// gate.h: the columns of a session (gated case x metric) and the sequential test over them.
//
// A column's round statistic is the median over the round's slice pairs of log(candidate/baseline)
// for times and rates, or of the difference for counts and scores, signed so that positive is
// worse. The sequential gate of docs/statistics.md runs over all gated columns as one family.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/stats/design/sequential_gate.h"

namespace perfgate::inline verdict {

struct Column {
  std::size_t case_index = 0;
  std::size_t metric_index = 0;
  bool gated = true;
  double tolerance = 0;          // as in the policy
  std::vector<double> d;         // round statistics, in the order of the rounds
  std::vector<double> baseline;  // per round: median over slices, in the metric's unit
  std::vector<double> candidate;
};

// The round statistic of one case and metric: NaN when an arm has no value in any pair.
double round_statistic(std::span<const double> baseline, std::span<const double> candidate,
                       const Metric& metric);

// Columns of all cases that have values in both arms in at least one round, in the order of cases
// and metrics. Only the first `rounds` rounds are used. Arm 0 is the baseline, arm 1 the candidate.
std::vector<Column> make_columns(const Session& session, int rounds);

// tau = log(1 + tolerance) for times and rates, the tolerance itself otherwise; counts and scores
// pass when their upper bound reaches tau, since equal counts have the bound 0.
stats::ColumnRule column_rule(const Column& column, const Metric& metric);

// Looks of a session as it recorded them.
std::vector<stats::Look> recorded_looks(const Schedule& schedule);

enum class Side { kSlower, kFaster };

// State of every column after all recorded looks of at least 6 rounds that the session reached.
// Columns that do not gate are examined for PASS only and are not in the family; those of a case
// with a fault are in it until the round of the fault, as they were while the gate ran. On the side
// kFaster the arms are exchanged: a column that fails there is faster by more than its tolerance.
std::vector<stats::ColumnState> run_looks(const Session& session,
                                          const std::vector<Column>& columns, Side side);

// What the looks found in both directions.
struct BothSides {
  stats::ColumnState slower;
  stats::ColumnState faster;
};

// Both sides of every column as the running gate saw them: a column that has passed and needs no
// more rounds is not examined for an improvement on the rounds that its case still gets for others.
std::vector<BothSides> run_both_sides(const Session& session, const std::vector<Column>& columns);

// Cases that need more rounds after the looks reached so far: a gated column is undecided, or has
// passed and may be an improvement: while no look could name one and its interval shows it, or at
// all where the policy claims improvements; or has passed and the second clock withholds it. A case
// that the second clock has proven invalid needs none.
std::vector<bool> open_cases(const Session& session);

}  // namespace perfgate::inline verdict
