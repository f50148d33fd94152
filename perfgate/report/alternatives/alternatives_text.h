// SPDX-License-Identifier: Apache-2.0
// alternatives_text.h: the numbers of a comparison of alternatives as people read them.
#pragma once

#include <string>

#include "perfgate/evidence/alternatives.h"
#include "perfgate/report/text/table_unit.h"

namespace perfgate::report {

// For times the unit in which the middle value has one to three digits before the point; for other
// metrics their own.
TableUnit unit_of(const AlternativesVerdict& verdict);

// "3.142"; NaN: "-".
std::string speed_up_number(double speed_up);

// "[3.101, 3.180]"; "reference" for the reference itself, empty without an interval.
std::string speed_up_interval(const Standing& standing, bool is_reference);

// "1", "2-3" where ranks are shared, "-" for what was not compared.
std::string rank_text(const Standing& standing);

// "CI95", or "CI90.6" where the rounds give no more; "CI" without intervals.
std::string interval_head(const AlternativesVerdict& verdict);

}  // namespace perfgate::report
