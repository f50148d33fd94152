// SPDX-License-Identifier: Apache-2.0
// counting_driver.h: a driver whose slices have counts beside their times
// (evidence/metrics/counted_metrics.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "perfgate/measure/driver/driver.h"

namespace perfgate::measure {

// `inner` itself where it has no process that lives between slices: what is counted there, it
// counts itself. The gate's own messages to a worker are in the counts of a slice: some 20,000
// instructions, of about 30 million in 10 ms, in both arms.
std::unique_ptr<Driver> WithCounts(std::unique_ptr<Driver> inner, std::vector<std::string> names);

// Values per iteration into the counters of a slice. A ratio of 0 says nothing: events that did not
// happen are left out.
void AddPerIteration(const std::vector<std::pair<std::string, double>>& events, SliceResult& into);

}  // namespace perfgate::measure
