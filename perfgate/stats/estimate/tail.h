// SPDX-License-Identifier: Apache-2.0
// tail.h: what the slow end of many values looks like.
//
// values: [n], n >= 1, finite, any unit (the result has the same). Throw std::invalid_argument
// otherwise.
#pragma once

#include <span>

namespace perfgate::stats {

// The smallest value that at least a share q of the values does not exceed: nearest rank, R-1
// (Hyndman and Fan, 1996, definition 1), always one of the values. q in (0, 1). ascending: sorted.
double NearestRank(std::span<const double> ascending, double q);

// Mean of the largest share 1 - q of the values, ceil((1 - q) n) of them: the expected shortfall at
// level q (Acerbi and Tasche, 2002). It moves with every slow value, where a percentile does not
// see a tail that is thinner than 1 - q and jumps where the tail is about as thick. ascending:
// sorted. q in (0, 1).
double TailMean(std::span<const double> ascending, double q);

}  // namespace perfgate::stats
