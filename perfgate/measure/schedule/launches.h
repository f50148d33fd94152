// SPDX-License-Identifier: Apache-2.0
// launches.h: which cases of a round share a launch of the arms.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/plan.h"

namespace perfgate::measure {

// The name of a case's launch; all cases share one, "", where the plan does not ask for several.
std::string launch_of(const MeasurePlan& plan, const CaseInfo& info);

// The cases of `order`, those that share a launch together: launches in the order of their first
// case, cases within each in that of `order`.
std::vector<std::vector<std::size_t>> cases_by_launch(const MeasurePlan& plan,
                                                      const std::vector<CaseInfo>& cases,
                                                      std::span<const std::size_t> order);

}  // namespace perfgate::measure
