// SPDX-License-Identifier: Apache-2.0
// alternatives_text.h: the numbers of a comparison of alternatives as people read them.
#pragma once

#include <string>

#include "perfgate/evidence/alternatives.h"

namespace perfgate::report {

// One unit for all values of a report: "us", and what a value in the metric's unit is divided by.
struct TableUnit {
  double factor = 1;
  std::string name;
};

// For times the unit in which the middle value has one to three digits before the point; for other
// metrics their own.
TableUnit unit_of(const AlternativesVerdict& verdict);

// Four significant digits and no exponent, as far as six decimals go: "0.0123", "12.34", "12345".
std::string in_unit(double value, const TableUnit& unit);

// "3.142"; NaN: "-".
std::string speed_up_number(double speed_up);

// "[3.101, 3.180]"; "reference" for the reference itself, empty without an interval.
std::string speed_up_interval(const Standing& standing, bool is_reference);

// "1", "2-3" where ranks are shared, "-" for what was not compared.
std::string rank_text(const Standing& standing);

// "CI95", or "CI90.6" where the rounds give no more; "CI" without intervals.
std::string interval_head(const AlternativesVerdict& verdict);

}  // namespace perfgate::report
