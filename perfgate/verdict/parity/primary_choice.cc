// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/primary_choice.h"

#include "perfgate/published/primary_metric.h"

namespace perfgate::inline verdict {
namespace {

// The word of a rule in verdict files.
const char* WordOf(published::PrimaryRule rule) {
  using published::PrimaryRule;
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

}  // namespace

PrimaryChoice choose_primary(const std::vector<Metric>& metrics,
                             const std::vector<std::size_t>& reported, const std::string& named) {
  for (const std::size_t m : reported) {
    if (!named.empty() && metrics[m].name == named) return {m, "named_by_the_user"};
  }
  std::vector<std::string> names;
  for (const std::size_t m : reported) names.push_back(metrics[m].name);
  if (const auto chosen = published::ChoosePrimary(names)) {
    return {reported[chosen->index], WordOf(chosen->rule)};
  }
  return {reported.front(), "first_reported"};
}

}  // namespace perfgate::inline verdict
