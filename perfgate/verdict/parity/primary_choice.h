// SPDX-License-Identifier: Apache-2.0
// primary_choice.h: the metric that decides a case of a session (published/primary_metric.h has the
// rule).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::inline verdict {

// The metric that decides a case, and the rule that chose it.
struct PrimaryChoice {
  std::size_t metric = 0;  // index into Session::metrics
  std::string why;
};

// Metrics that a case reports, by index; at least one. `named`: the one that the user asks for,
// empty for none. Otherwise a throughput (not of the input), then the time per output token, then
// the time to first token, then a latency, then the time of the case itself.
PrimaryChoice choose_primary(const std::vector<Metric>& metrics,
                             const std::vector<std::size_t>& reported, const std::string& named);

}  // namespace perfgate::inline verdict
