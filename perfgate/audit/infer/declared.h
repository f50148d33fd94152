// SPDX-License-Identifier: Apache-2.0
// declared.h: what a table says about how its cells follow from each other.
#pragma once

#include <vector>

#include "perfgate/audit/infer/relation.h"
#include "perfgate/audit/infer/row_relation.h"
#include "perfgate/audit/read/finding.h"

namespace perfgate::audit {

struct Declared {
  struct OfColumns {
    Relation relation;
    std::vector<std::size_t> rows;  // to which it applies
    Integers integers = Integers::kRounded;
  };
  struct OfRows {
    RowRelation relation;
    std::vector<std::size_t> columns;
    Integers integers = Integers::kRounded;
  };
  std::vector<OfColumns> columns;
  std::vector<OfRows> rows;
};

// Error(kData) with the pointer for operations and columns that do not exist. A row that does not
// exist is a finding: the table has lost it.
Declared read_declared(const Table& table, std::vector<Finding>& findings);

}  // namespace perfgate::audit
