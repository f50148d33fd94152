// SPDX-License-Identifier: Apache-2.0
// context.h: what the steps of a session know of its arms and cases.
#pragma once

#include <vector>

#include "perfgate/measure/listing.h"
#include "perfgate/measure/plan.h"
#include "perfgate/measure/schedule/launcher.h"
#include "perfgate/measure/schedule/matched_cases.h"

namespace perfgate::measure {

// Preparation fills it step by step; for rounds it is constant.
struct Context {
  const MeasurePlan& plan;
  Launcher launcher{};
  std::vector<Listing> listings{};  // per arm
  std::vector<DriverKind> drivers{};
  MatchedCases matched{};
  std::vector<int> cpus{};
  int nice = 0;
  std::vector<bool> must_pause{};  // arms that were seen busy while idle, so far
  // Arms do not fit on the device together: one process at a time.
  bool one_at_a_time = false;
  std::vector<std::string> counted{};  // beside the time
};

}  // namespace perfgate::measure
