// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/metrics/distribution.h"

#include <cmath>

#include "perfgate/base/text/number_text.h"

namespace perfgate::inline evidence {
namespace {

// Calls beyond a percentile.
constexpr double kBeyondShown = 1;
constexpr double kBeyondGated = 20;

// 20 / (1 - 0.95) is 399.99999999999966 in binary.
std::int64_t CallsFor(double beyond, double quantile) {
  return static_cast<std::int64_t>(std::ceil(beyond / (1 - quantile) - 1e-6));
}

std::optional<double> QuantileOfSummary(std::string_view word) {
  for (const DistributionSummary& summary : kDistributionSummaries) {
    if (summary.word == word) return summary.quantile;
  }
  return QuantileOfWord(word);
}

}  // namespace

Metric SummaryMetric(const Metric& base, std::string_view word) {
  Metric metric = base;
  metric.name += "_";
  metric.name += word;
  return metric;
}

std::optional<double> QuantileOfWord(std::string_view word) {
  if (!word.starts_with('p')) return std::nullopt;
  const auto percent = leading_number(word.substr(1));
  if (!percent || !percent->second.empty()) return std::nullopt;
  const double quantile = percent->first / 100;
  return quantile > 0 && quantile < 1 ? std::optional(quantile) : std::nullopt;
}

std::optional<SummaryOf> ReadSummaryName(std::string_view metric_name) {
  // A word may hold an underscore itself, so each is tried.
  for (std::size_t at = metric_name.find('_'); at != std::string_view::npos;
       at = metric_name.find('_', at + 1)) {
    const std::string_view word = metric_name.substr(at + 1);
    const std::optional<double> quantile = QuantileOfSummary(word);
    if (at > 0 && quantile) {
      return SummaryOf{std::string(metric_name.substr(0, at)), std::string(word), *quantile};
    }
  }
  return std::nullopt;
}

Metric SamplesMetric(const std::string& base) {
  return {base + std::string(kSamplesSuffix), "1", Direction::kHigher, Kind::kCount};
}

bool IsSamplesMetric(std::string_view metric_name) { return metric_name.ends_with(kSamplesSuffix); }

bool IsGatedByRulesOnly(std::string_view metric_name) {
  const auto summary = ReadSummaryName(metric_name);
  return summary && (summary->base == kHostCalls || summary->base == kGpuCalls);
}

std::int64_t FewestShown(double quantile) { return CallsFor(kBeyondShown, quantile); }

std::int64_t FewestGated(double quantile) { return CallsFor(kBeyondGated, quantile); }

}  // namespace perfgate::inline evidence
