// SPDX-License-Identifier: Apache-2.0
// request_rules.h: what a user demands of the single requests to a server.
#pragma once

#include <string>
#include <vector>

namespace perfgate::inline evidence {

// A request is good where this time is at most `most_s`.
struct RequestLimit {
  std::string metric;  // "ttft", "tpot" or "e2e_latency"
  double most_s = 0;

  bool operator==(const RequestLimit&) const = default;
};

struct RequestRules {
  std::vector<RequestLimit> limits{};  // of different metrics
  // The share of a run's requests, below 1, that may fail before the run is one that failed.
  double allowed_failures = 0;

  bool operator==(const RequestRules&) const = default;
};

}  // namespace perfgate::inline evidence
