// SPDX-License-Identifier: Apache-2.0
// parse_request_rules.h: rules of requests as people write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/evidence/metrics/request_rules.h"

namespace perfgate::inline evidence {

// limits: texts like "ttft=200ms"; what an alias names is meant ("e2el"). allowed_failures: "1%",
// or empty for none. where: starts the messages of the Error(exit).
RequestRules ParseRequestRules(const std::vector<std::string>& limits,
                               std::string_view allowed_failures, const std::string& where,
                               const MetricRegistry& registry, Exit exit = Exit::kUsage);

// "e2e_latency 2 s, ttft 0.2 s"; empty without limits.
std::string LimitsText(const RequestRules& rules);

}  // namespace perfgate::inline evidence
