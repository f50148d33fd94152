// SPDX-License-Identifier: Apache-2.0
// distribution.h: metrics of how single calls or requests are distributed: "ttft_p99".
//
// The calls that one arm made in one round are pooled and give one value each of
//
//   X_p50, X_p95, X_p99   percentiles, nearest rank; X_p90, X_p99.9 where a file names them
//   X_tail_mean           mean of the slowest 5 %, which sees a tail that is too thin for p99
//   X:samples             how many calls there were; recorded, never judged
//
// so that a round's value is an observation like any other. A percentile of few calls says little:
// from 1 / (1 - q) calls a round on it is shown (one call lies beyond it), from 20 / (1 - q) on it
// is gated (20 do): 400 for p95, 2,000 for p99.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::inline evidence {

struct DistributionSummary {
  std::string_view word;  // of the name, behind the underscore
  double quantile;        // the share of calls that are not beyond it
};

inline constexpr std::string_view kTailMean = "tail_mean";
inline constexpr std::string_view kSamplesSuffix = ":samples";

// What every distribution is described by.
inline constexpr std::array kDistributionSummaries = {
    DistributionSummary{"p50", 0.5},
    DistributionSummary{"p95", 0.95},
    DistributionSummary{"p99", 0.99},
    DistributionSummary{kTailMean, 0.95},
};

struct SummaryOf {
  std::string base;     // "ttft"
  std::string word;     // "p99"
  double quantile = 0;  // 0.99
};

// "ttft_p99", of the unit, direction and kind of ttft.
Metric SummaryMetric(const Metric& base, std::string_view word);

// Reads such a name back; nothing for others. A metric is such a summary only where the session
// has SamplesMetric() of its base as well: a counter may be called anything.
std::optional<SummaryOf> ReadSummaryName(std::string_view metric_name);

// The share of "p99", 0.99; nothing for other words, and outside (0, 1).
std::optional<double> QuantileOfWord(std::string_view word);

// "ttft:samples".
Metric SamplesMetric(const std::string& base);
bool IsSamplesMetric(std::string_view metric_name);

// The calls that guarded cases record unasked, on the CPU and on a GPU. Their time is judged
// already, so these are shown, and gated where a rule of the policy says so.
inline constexpr std::string_view kHostCalls = "call";
inline constexpr std::string_view kGpuCalls = "gpu_call";
bool IsGatedByRulesOnly(std::string_view metric_name);

// Calls in a round.
std::int64_t FewestShown(double quantile);
std::int64_t FewestGated(double quantile);

}  // namespace perfgate::inline evidence
