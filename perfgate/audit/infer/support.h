// SPDX-License-Identifier: Apache-2.0
// support.h: how strongly the cells of a table speak for a relation that nobody has stated.
//
// Each cell that fits a relation could have done so by chance. The chance is about the width of
// what would have fitted over the size of the number; where a cell also fits what the operands of
// *other* rows give, the column hardly varies and a fit means that little. Evidence is the sum of
// the -log10 of these chances, to be compared with the number of relations that were tried.
#pragma once

#include <span>
#include <vector>

#include "perfgate/audit/read/range.h"

namespace perfgate::audit {

struct Fit {
  std::size_t at = 0;  // row or column
  Range printed;
  Range allowed;
  bool informative = true;  // false: the relation says next to nothing here (a + 0, a / 1)
};

struct Support {
  std::vector<std::size_t> holds;
  std::vector<std::size_t> breaks;
  double evidence = 0;
};

Support support_of(std::span<const Fit> fits);

// How much is known beforehand: nothing; the label names the operation; it names the operands too.
enum class Named { kNot, kOperation, kOperands };

// Whether to believe in a relation. `tried` relations competed; `unexplained` of the breaks have no
// other explanation.
bool convincing(const Support& support, std::size_t unexplained, std::size_t tried, Named named);

// For choosing between relations of one column.
double weight(const Support& support, std::size_t tried, Named named);

}  // namespace perfgate::audit
