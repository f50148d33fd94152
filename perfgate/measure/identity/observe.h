// SPDX-License-Identifier: Apache-2.0
// observe.h: what an executable has mapped after it has run every case once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/measure/plan.h"

namespace perfgate::measure {

// Starts the arm, runs every case that the policy's filter leaves once and untimed, and reads what
// is mapped then: what a case opens with dlopen() is there. A worker is asked while it waits; in
// any other program a preloaded library (libperfgate_maps.so beside plan.worker_shim) says it when
// the program ends. None where that cannot be known: the arm fails, ends without its destructors,
// or nothing may be preloaded; *why_not says so. Throws Interrupted.
std::optional<std::vector<std::string>> ObserveMappedFiles(const MeasurePlan& plan,
                                                           const ArmPlan& arm,
                                                           std::string* why_not);

}  // namespace perfgate::measure
