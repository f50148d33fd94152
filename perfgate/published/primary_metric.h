// SPDX-License-Identifier: Apache-2.0
// primary_metric.h: which of the metrics that a case reports decides it, for executables, files of
// results and published tables alike.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfgate::published {

// In their order. The mean goes before other statistics of the same quantity: a tail has several
// times its noise.
enum class PrimaryRule {
  kThroughput,      // any throughput but that of the input
  kTpotMean,        // time per output token
  kTpot,            //   ... another statistic of it
  kTtftMean,        // time to first token
  kTtft,            //   ... another statistic of it
  kLatencyAverage,  // latency_avg
  kLatency,         //   ... another statistic of it
  kTime,            // real_time, the time of the case itself
};

// The rule that a metric falls under; none: it never decides.
std::optional<PrimaryRule> PrimaryRuleOf(const std::string& metric);

// Its word in verdict files: "throughput_first".
std::string_view WordOf(PrimaryRule rule);

struct ChosenMetric {
  std::size_t index = 0;  // into the names
  PrimaryRule rule = PrimaryRule::kTime;
};

// The first name under the first rule that any falls under; none where none does.
std::optional<ChosenMetric> ChoosePrimary(std::span<const std::string> names);

}  // namespace perfgate::published
