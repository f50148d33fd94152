// SPDX-License-Identifier: Apache-2.0
// plain_summary.h: rows that are called nothing but "Geomean", "Median", "Mean" or "Total".
//
// Such a name leaves no choice of operation, so that one column is enough to check it. The choice
// of rows is left: the summary is wrong only where it fits none of the choices. A mean that other
// columns may have weighted fits where one of them, as the weights, gives it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "perfgate/audit/infer/row_relation.h"
#include "perfgate/audit/read/range.h"

namespace perfgate::audit {

struct PlainSummary {
  RowRelation relation;  // the choice that comes closest
  Range allowed;
  bool holds = false;
};

// Nothing where the row is called otherwise, sums up fewer than three rows, stands among other
// statistics ("mean", "p99", "stddev"), or the column is one of which it cannot be told.
std::optional<PlainSummary> plain_summary(const Table& table, std::size_t row, std::size_t column);

// Whether the cell is what its row says of the column's other rows: an "Average" of speed-ups need
// not be the speed-up of the averages.
bool follows_from_rows(const Table& table, std::size_t row, std::size_t column);

}  // namespace perfgate::audit
