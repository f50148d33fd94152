// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/few_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "perfgate/evidence/metrics/distribution.h"
#include "perfgate/stats/estimate/order_statistics.h"

namespace perfgate::inline verdict {
namespace {

std::optional<std::size_t> IndexOf(const std::vector<Metric>& metrics, const std::string& name) {
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  if (found == metrics.end()) return std::nullopt;
  return static_cast<std::size_t>(found - metrics.begin());
}

// NaN where the session does not say.
double CallsOf(const RecordedSession& session, const std::string& case_name,
               const std::string& samples) {
  const auto metric = IndexOf(session.metrics, samples);
  const auto found = std::find_if(session.cases.begin(), session.cases.end(),
                                  [&](const RecordedCase& info) { return info.name == case_name; });
  if (!metric || found == session.cases.end()) return std::numeric_limits<double>::quiet_NaN();
  return stats::MedianOfFinite(found->values[*metric]);
}

std::string ReasonFor(const SummaryOf& summary, double calls) {
  const auto needed = FewestGated(summary.quantile);
  if (!(calls < static_cast<double>(needed))) return "";
  return fmt::format("few_samples: {} of {:.0f} calls a round is shown, and gated from {} on",
                     summary.word, calls, needed);
}

}  // namespace

std::string FewSamples(const Session& session, std::size_t case_index, std::size_t metric_index) {
  const auto summary = ReadSummaryName(session.metrics[metric_index].name);
  if (!summary) return "";
  const auto samples = IndexOf(session.metrics, SamplesMetric(summary->base).name);
  if (!samples) return "";
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != case_index) continue;
      double fewest = std::numeric_limits<double>::infinity();
      for (const std::vector<double>& arm : measured.values[*samples]) {
        fewest = std::fmin(fewest, stats::MedianOfFinite(arm));
      }
      return ReasonFor(*summary, fewest);
    }
  }
  return "";
}

std::string FewSamples(std::span<const RecordedSession> baseline,
                       std::span<const RecordedSession> candidate, const std::string& case_name,
                       const std::string& metric_name) {
  const auto summary = ReadSummaryName(metric_name);
  if (!summary) return "";
  double fewest = std::numeric_limits<double>::infinity();
  for (const std::span<const RecordedSession> side : {baseline, candidate}) {
    for (const RecordedSession& session : side) {
      fewest = std::fmin(fewest, CallsOf(session, case_name, SamplesMetric(summary->base).name));
    }
  }
  return ReasonFor(*summary, fewest);
}

}  // namespace perfgate::inline verdict
