// SPDX-License-Identifier: Apache-2.0
// verdict_rows.h: which cases of a verdict get a line of their own, and which share one.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

// Cases of one verdict that a single line stands for.
struct FoldedCases {
  Verdict verdict;
  std::string text;  // "8 cases, upper ends of CI95 up to +1.81 %"
};

struct VerdictSection {
  std::vector<const ColumnVerdict*> rows;
  std::vector<FoldedCases> folded;  // below the rows
};

// Those that are gated, or the others, in the order of the verdict. Unless `all`, several cases
// that passed share a line, and so do many that say the same without having been measured.
VerdictSection SectionOf(const SuiteVerdict& verdict, bool gated, bool all);

}  // namespace perfgate::report
