// SPDX-License-Identifier: Apache-2.0
// multiplicity.h: adjusted p-values for evidence that cannot be flipped jointly, such as results of
// separate tasks. Cases of one session go through max_t.h, which loses less.
//
// p: [m] values in [0, 1], any order; the result keeps the order. Reject where adjusted p <= level.
// Empty in, empty out. Throw std::invalid_argument for NaN or values outside [0, 1].
#pragma once

#include <span>
#include <vector>

namespace perfgate::stats {

// Chance of any false rejection at most the level, under any dependence (Holm, 1979):
// with p sorted ascending, max over j <= i of min(1, (m - j) p_(j)), j from 0.
std::vector<double> holm(std::span<const double> p);

// Expected share of false ones among the rejections at most the level, for independent or
// positively dependent p (Benjamini and Hochberg, 1995):
// min over j >= i of min(1, m / (j + 1) p_(j)), j from 0.
std::vector<double> benjamini_hochberg(std::span<const double> p);

}  // namespace perfgate::stats
