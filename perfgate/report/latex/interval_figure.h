// SPDX-License-Identifier: Apache-2.0
// interval_figure.h: the intervals of a verdict against its tolerance, one row per case.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

// TikZ; the names stand beside the rows, whole, with as many lines as they need. At most
// kMostIntervals cases, worst first. Nothing where no time or rate has an interval.
std::string IntervalFigure(const SuiteVerdict& verdict);

inline constexpr std::size_t kMostIntervals = 30;

}  // namespace perfgate::report
