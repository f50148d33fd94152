// SPDX-License-Identifier: Apache-2.0
// range.h: interval arithmetic on printed numbers.
//
// "19.3" stands for anything from 19.25 to 19.35. What follows from such operands is a range, and a
// printed result is right when its own half unit touches that range; nothing narrower can be asked
// of a table, and nothing wider excuses it.
#pragma once

#include <optional>
#include <span>

namespace perfgate::audit {

// Closed, lo <= hi.
struct Range {
  double lo = 0;
  double hi = 0;
};

Range plus(Range a, Range b);
Range minus(Range a, Range b);
Range times(Range a, Range b);
Range scaled(Range a, double factor);
Range widened(Range a, double by);

// No value where the divisor may be zero.
std::optional<Range> divided(Range a, Range b);

// Of at least one range; each bound of the result is that of the bounds.
Range sum_of(std::span<const Range> ranges);
Range mean_of(std::span<const Range> ranges);
Range median_of(std::span<const Range> ranges);
Range min_of(std::span<const Range> ranges);
Range max_of(std::span<const Range> ranges);
// No value where an operand may be zero or negative.
std::optional<Range> geometric_mean_of(std::span<const Range> ranges);

double width(Range a);
double middle(Range a);

// Whether the two have a point in common, give or take what binary fractions lose.
bool touch(Range a, Range b);

}  // namespace perfgate::audit
