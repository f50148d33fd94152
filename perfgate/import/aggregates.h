// SPDX-License-Identifier: Apache-2.0
// aggregates.h: what a tool averaged, held against what it measured.
#pragma once

#include "perfgate/import/record.h"

namespace perfgate::import {

// Recomputes every mean, median, minimum and maximum from the samples beside it. Error(kInvalid)
// names the row of one that differs by more than rounding: samples or aggregate are not what the
// tool wrote. Cases with failures are left out, since tools disagree on whether failures count.
void check_aggregates(const Document& document);

// Whether values of this statistic can stand for a metric; spreads, extremes and fits cannot.
bool is_location(const Record& record);

}  // namespace perfgate::import
