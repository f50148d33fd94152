// SPDX-License-Identifier: Apache-2.0
// infer.h: relations between the columns of a table that states none.
//
// Every column is tried as the sum, difference, ratio, mean, product or percentage of others, and
// against one row of another column. A relation is kept where it holds in nearly all rows and
// chance cannot explain that (support.h); the rows that break it are what an audit is after.
#pragma once

#include <vector>

#include "perfgate/audit/infer/relation.h"
#include "perfgate/audit/infer/support.h"

namespace perfgate::audit {

struct Inferred {
  Relation relation;
  Integers integers = Integers::kRounded;
  Named named = Named::kNot;
  Support support;
  std::vector<std::size_t> broken;  // rows that nothing explains
  // Rows that hold another operation on the same operands: a difference in a column of ratios, or
  // the ratio the other way round.
  struct Other {
    std::size_t row;
    Op op;
    bool reversed;
  };
  std::vector<Other> other;
};

struct Search {
  // Columns that may be derived; empty for all.
  std::vector<std::size_t> outs;
  // Columns that may be operands; empty for all.
  std::vector<std::size_t> operands;
  // The operands are another table's: also try "the same number in both columns", and believe a
  // label that names an operation but no operands of that table as little as none.
  bool across = false;
};

std::vector<Inferred> infer_relations(const Table& table, const Search& search = {});

}  // namespace perfgate::audit
