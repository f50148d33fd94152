// SPDX-License-Identifier: Apache-2.0
// suite_summary.h: what every kind of gate ends with: columns in order and a sentence.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/verdict.h"

namespace perfgate::inline verdict {

// Gated before others, worse verdicts first, then larger slowdowns first.
void sort_worst_first(std::vector<ColumnVerdict>& columns);

// "1 regression, 35 no_regression" over the gated columns.
std::string count_verdicts(const std::vector<ColumnVerdict>& columns);

}  // namespace perfgate::inline verdict
