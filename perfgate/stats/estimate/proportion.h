// SPDX-License-Identifier: Apache-2.0
// proportion.h: how sure one can be of a rate after `successes` of `trials`.
//
// trials >= 1, successes <= trials, confidence in (0, 1). Throw std::invalid_argument otherwise.
// `confidence` is two-sided: at .95 each end alone is a 97.5 % bound.
#pragma once

#include <cstdint>

namespace perfgate::stats {

struct ProportionInterval {
  double lo = 0.0;
  double hi = 1.0;
};

// Exact: covers at least `confidence` at every rate and any number of trials (Clopper and Pearson,
// 1934). lo is 0 with no success, hi is 1 with no failure.
ProportionInterval clopper_pearson(std::uint64_t successes, std::uint64_t trials,
                                   double confidence = 0.95);

// Shorter, covers `confidence` on average over rates (Wilson, 1927).
ProportionInterval wilson(std::uint64_t successes, std::uint64_t trials, double confidence = 0.95);

}  // namespace perfgate::stats
