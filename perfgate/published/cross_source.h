// SPDX-License-Identifier: Apache-2.0
// cross_source.h: one published value, and whether a second list agrees with it.
#pragma once

#include <cmath>
#include <vector>

#include "perfgate/published/published_parity.h"

namespace perfgate::published {

// Values are decimal texts in binary: 105/100 must not be above 5 % for the last bit's sake.
inline constexpr double kSlack = 1e-9;

// The value that an arm has; null where there is none.
const PublishedValue* ValueOf(const PublishedMeasurement* m, Arm arm);

// Half of the last printed digit.
inline double HalfUnit(const PublishedValue& v) { return 0.5 * std::pow(10.0, -v.decimals); }

// Where another list of the item has a value alone, or another one.
std::vector<CrossSource> CrossCheck(const PublishedItem& item,
                                    const std::vector<const PublishedMeasurement*>& usable);

}  // namespace perfgate::published
