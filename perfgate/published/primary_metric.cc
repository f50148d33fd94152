// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/primary_metric.h"

namespace perfgate::published {

std::optional<PrimaryRule> PrimaryRuleOf(const std::string& metric) {
  const auto contains = [&](const char* part) { return metric.find(part) != std::string::npos; };
  if (contains("throughput")) {
    return metric.starts_with("input_") ? std::nullopt : std::optional(PrimaryRule::kThroughput);
  }
  if (metric == "tpot_mean") return PrimaryRule::kTpotMean;
  if (metric.starts_with("tpot")) return PrimaryRule::kTpot;
  if (metric == "ttft_mean") return PrimaryRule::kTtftMean;
  if (metric.starts_with("ttft")) return PrimaryRule::kTtft;
  if (metric == "latency_avg") return PrimaryRule::kLatencyAverage;
  if (contains("latency")) return PrimaryRule::kLatency;
  if (metric == "real_time") return PrimaryRule::kTime;
  return std::nullopt;
}

std::string_view WordOf(PrimaryRule rule) {
  switch (rule) {
    case PrimaryRule::kThroughput:
      return "throughput_first";
    case PrimaryRule::kTpotMean:
    case PrimaryRule::kTpot:
      return "tpot_no_throughput";
    case PrimaryRule::kTtftMean:
    case PrimaryRule::kTtft:
      return "ttft_no_tpot";
    case PrimaryRule::kLatencyAverage:
    case PrimaryRule::kLatency:
      return "latency_only";
    case PrimaryRule::kTime:
      return "time_of_the_case";
  }
  return "";
}

std::optional<ChosenMetric> ChoosePrimary(std::span<const std::string> names) {
  std::optional<ChosenMetric> chosen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::optional<PrimaryRule> rule = PrimaryRuleOf(names[i]);
    if (rule && (!chosen || *rule < chosen->rule)) chosen = ChosenMetric{i, *rule};
  }
  return chosen;
}

}  // namespace perfgate::published
