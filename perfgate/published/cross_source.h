// SPDX-License-Identifier: Apache-2.0
// cross_source.h: one published value, and whether a second list agrees with it.
#pragma once

#include <cmath>
#include <vector>

#include "perfgate/published/published_parity.h"

namespace perfgate::published {

// Values are decimal texts in binary: 105/100 must not be above 5 % for the last bit's sake.
inline constexpr double kSlack = 1e-9;

// Whether a measurement counts: no rerun replaced it, it names its metric and direction, and there
// is a second token where the metric needs one.
bool IsUsable(const PublishedMeasurement& m);

// The value that an arm has; null where there is none.
const PublishedValue* ValueOf(const PublishedMeasurement* m, Arm arm);

// The measurement that an answer's primary metric comes from; null without one.
const PublishedMeasurement* PrimaryMeasurement(const PublishedItem& item, const ItemAnswer& answer);

// Half of the last printed digit.
inline double HalfUnit(const PublishedValue& v) { return 0.5 * std::pow(10.0, -v.decimals); }

// Where another list of the item has a value alone, or another one.
std::vector<CrossSource> CrossCheck(const PublishedItem& item,
                                    const std::vector<const PublishedMeasurement*>& usable);

}  // namespace perfgate::published
