// SPDX-License-Identifier: Apache-2.0
// infer_rows.h: relations between the rows of a table that states none: totals, means, ratio rows.
#pragma once

#include <vector>

#include "perfgate/audit/infer/row_relation.h"
#include "perfgate/audit/infer/support.h"

namespace perfgate::audit {

struct InferredRow {
  RowRelation relation;
  Integers integers = Integers::kRounded;
  Named named = Named::kNot;
  Support support;  // of columns
};

// Rows whose first cell says that they sum up others ("Total", "Overall (a+b)", "Mean", "A/B
// ratio"), and the last row whatever it is called. A relation is kept where it holds in nearly all
// columns.
std::vector<InferredRow> infer_row_relations(const Table& table);

// A row called "A/B ratio" names its operands so plainly that it can be checked alone: the pairs of
// rows it can mean. Empty where the label is no such name.
std::vector<RowRelation> named_row_ratios(const Table& table, std::size_t row);

// The groups of rows that a summary in row `out` can mean: those that its name mentions, all
// others, those that are no summaries themselves, those above or below up to the next summary.
std::vector<std::vector<std::size_t>> summed_rows(const Table& table, std::size_t out);

}  // namespace perfgate::audit
