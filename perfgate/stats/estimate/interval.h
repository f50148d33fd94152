// SPDX-License-Identifier: Apache-2.0
// interval.h: the two kinds of interval, kept apart by type so that no report confuses them.
#pragma once

namespace perfgate::stats {

// A closed interval [lo, hi] in the unit of the sample whose coverage is known exactly for every
// continuous (where said: symmetric) distribution. Where valid is false there is none: lo and hi
// are NaN and attained is 0.
struct Interval {
  double lo = 0.0;
  double hi = 0.0;
  double attained = 0.0;  // exact coverage in (0, 1)
  bool valid = false;
};

// NaN bounds, attained 0, not valid.
Interval no_interval();

// A closed interval whose confidence is only nominal: it holds under an assumption (normal noise,
// many rounds) that benchmark samples break. Never printed as "CI95"; docs/statistics.md shows
// what each method really covers.
struct NominalInterval {
  double estimate = 0.0;
  double lo = 0.0;
  double hi = 0.0;
  double nominal = 0.0;  // in (0, 1)
};

}  // namespace perfgate::stats
