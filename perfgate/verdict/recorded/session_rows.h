// SPDX-License-Identifier: Apache-2.0
// session_rows.h: recorded sessions as the rows of a matrix, one column per case and metric.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/recorded.h"
#include "perfgate/stats/estimate/matrix.h"

namespace perfgate::inline verdict {

struct RowColumn {
  std::string case_name;
  Metric metric;
};

// Every case and metric that a session has values of, in its order.
std::vector<RowColumn> row_columns(const RecordedSession& session);

// One row per session: log of the median over rounds for times and rates, the median itself for
// others, signed so that larger is worse. NaN where the session lacks the case or metric.
stats::Matrix session_rows(std::span<const RecordedSession> sessions,
                           std::span<const RowColumn> columns);

// The sessions of the accepted state: those of the executable that was recorded last, with the
// slices of the last session. Other slices have another noise.
std::vector<RecordedSession> of_newest_executable(std::span<const RecordedSession> sessions);

// Which component of the reference workload to subtract, as its index, so that the machine's drift
// between sessions cancels: the one that lowers the median over columns of the between-session
// standard deviation most, and by a fifth at least. -1: none does, or there are fewer than 5
// sessions to tell. Only baseline sessions are looked at, so that the choice cannot follow the
// candidate.
int choose_reference(std::span<const RecordedSession> baseline, std::span<const RowColumn> columns);

// Subtracts log(reference) of each session from its relative columns. component: as chosen.
void subtract_reference(std::span<const RecordedSession> sessions,
                        std::span<const RowColumn> columns, int component, stats::Matrix& rows);

}  // namespace perfgate::inline verdict
