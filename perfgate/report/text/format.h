// SPDX-License-Identifier: Apache-2.0
// format.h: numbers as people read them.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::report {

// A fixed number of decimals: "1.50".
std::string fixed(double value, int decimals);

// Four significant digits and a unit of ns, us, ms or s: "1.234 us". NaN: "-".
std::string format_time(double seconds);

// Seconds of waiting: "0.42 s", "61.2 s", "75 min".
std::string format_wall(double seconds);

// A value in the metric's unit, four significant digits: times as above, rates with k, M, G, T,
// bytes with Ki, Mi, Gi, Ti, the unit "1" left out. Units are cut after 12 columns. NaN: "-".
std::string format_value(double value, const Metric& metric);

// "12.5 %", "2 %", "0.25 %": up to three significant digits.
std::string format_share(double fraction);

// An effect: "+5.02 %" for times and rates, "+3 B" for others. NaN: "-".
std::string format_change(double effect, const Metric& metric);

// One end of an interval of effects: the same number without the unit.
std::string format_change_number(double effect, const Metric& metric);

// "2 %" or "3 B": a tolerance, unsigned.
std::string format_tolerance(double tolerance, const Metric& metric);

// "0.002", "< 0.0001".
std::string format_p(double p);

}  // namespace perfgate::report
