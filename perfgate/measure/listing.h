// SPDX-License-Identifier: Apache-2.0
// listing.h: what an arm offers.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::measure {

struct Listing {
  std::vector<CaseInfo> cases;  // name, threads, time, fixed_iterations; iterations stays 0
  std::vector<Metric> metrics;  // real_time first; then declared counters
  std::string library;
  BuildInfo build;
  bool fixed_counts = true;  // exact iteration counts can be asked for
  bool by_worker = false;    // listed by a worker, by which it can then be driven
  // Why an executable that links libbenchmark dynamically is no preloaded worker; else empty.
  std::string no_worker{};
  std::string remark{};  // what the user should know of the arm; else empty
  double startup_s = 0;  // from launch to ready (worker) or the cost of an empty run
};

}  // namespace perfgate::measure
