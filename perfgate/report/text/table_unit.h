// SPDX-License-Identifier: Apache-2.0
// table_unit.h: one unit for the times of a table, said once in its head, so that they can be
// compared by eye.
#pragma once

#include <span>
#include <string>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::report {

// "us", and what a value in the metric's own unit is divided by.
struct TableUnit {
  double factor = 1;
  std::string name;
};

// Decimals that leave four significant digits, at most so many.
inline constexpr int kMostDecimals = 6;
int DecimalsOf(double value, int most);

// Of ns, us, ms and s the one in which the middle value has one to three digits before the point;
// s where no value is finite.
TableUnit UnitOfTimes(std::span<const double> seconds);

// Four significant digits and no exponent, as far as six decimals go: "0.0123", "12.34", "12345".
std::string in_unit(double value, const TableUnit& unit);

// The cell of a value beside others: a time without its unit, which the head says; one that is
// far from that unit (100,000 times as long, 10,000 as short) with a unit of its own, and so what
// is no time. NaN: "-".
std::string ValueInTable(double value, const Metric& metric, const TableUnit& unit);

}  // namespace perfgate::report
