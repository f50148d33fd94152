// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/distributions.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "perfgate/evidence/metrics/distribution.h"
#include "perfgate/stats/estimate/tail.h"

namespace perfgate::import {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// The values of one summary, of one metric, in one case and round. A percentile of 0 is no time:
// tokens that came in one piece have no gap.
double ValueOf(const SummaryOf& summary, const std::vector<double>& ascending) {
  if (static_cast<std::int64_t>(ascending.size()) < FewestShown(summary.quantile)) return kAbsent;
  const double value = summary.word == kTailMean ? stats::TailMean(ascending, summary.quantile)
                                                 : stats::NearestRank(ascending, summary.quantile);
  return value > 0 ? value : kAbsent;
}

// The summaries that a metric gets: its median stands under its own name.
std::vector<SummaryOf> SummariesOf(const std::string& base, const std::set<std::string>& words) {
  std::vector<SummaryOf> summaries;
  for (const DistributionSummary& summary : kDistributionSummaries) {
    if (summary.word != "p50") {
      summaries.push_back({base, std::string(summary.word), summary.quantile});
    }
  }
  for (const std::string& word : words) {
    const std::optional<double> quantile = QuantileOfWord(word);
    const bool known = std::any_of(summaries.begin(), summaries.end(),
                                   [&](const SummaryOf& s) { return s.word == word; });
    if (quantile && !known && word != "p50") summaries.push_back({base, word, *quantile});
  }
  return summaries;
}

std::size_t AddMetric(const Metric& metric, Session& session) {
  session.metrics.push_back(metric);
  for (RoundInfo& round : session.rounds) {
    for (CaseRound& measured : round.cases) {
      measured.values.push_back({std::vector<double>(measured.values.front()[0].size(), kAbsent)});
    }
  }
  return session.metrics.size() - 1;
}

void SetValue(std::size_t metric, std::size_t case_index, double value, RoundInfo& round) {
  for (CaseRound& measured : round.cases) {
    if (measured.case_index == case_index) measured.values[metric][0].front() = value;
  }
}

}  // namespace

void Distributions::add(std::size_t round, std::size_t case_index, std::size_t metric,
                        const Record& record) {
  if (record.kind != RecordKind::kSample || record.metric.kind != Kind::kTime ||
      record.informational) {
    return;
  }
  Calls& calls = rounds_[round][{case_index, metric}];
  const bool one_call = record.iterations == 1;
  if (record.status != Status::kOk || (record.calls.empty() && !one_call)) {
    calls.spoiled = true;
  } else if (record.calls.empty()) {
    calls.values.push_back(record.value);
  } else {
    calls.values.insert(calls.values.end(), record.calls.begin(), record.calls.end());
  }
}

void Distributions::add_word(const std::string& metric_name, const std::string& word) {
  words_[metric_name].insert(word);
}

void Distributions::enter(Session& session) const {
  const std::size_t measured_metrics = session.metrics.size();
  for (std::size_t m = 0; m < measured_metrics; ++m) {
    std::size_t most = 0;
    for (const auto& round : rounds_) {
      for (const auto& [key, calls] : round) {
        if (key.second == m && !calls.spoiled) most = std::max(most, calls.values.size());
      }
    }
    const std::string base = session.metrics[m].name;
    const auto words = words_.find(base);
    std::vector<SummaryOf> summaries =
        SummariesOf(base, words == words_.end() ? std::set<std::string>() : words->second);
    std::erase_if(summaries, [&](const SummaryOf& summary) {
      const bool taken =
          std::any_of(session.metrics.begin(), session.metrics.end(), [&](const Metric& metric) {
            return metric.name == SummaryMetric(session.metrics[m], summary.word).name;
          });
      return taken || static_cast<std::int64_t>(most) < FewestShown(summary.quantile);
    });
    if (summaries.empty()) continue;
    std::vector<std::size_t> indices;
    indices.reserve(summaries.size());
    for (const SummaryOf& summary : summaries) {
      indices.push_back(AddMetric(SummaryMetric(session.metrics[m], summary.word), session));
    }
    const std::size_t samples = AddMetric(SamplesMetric(base), session);
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      for (const auto& [key, calls] : rounds_[r]) {
        if (key.second != m || calls.spoiled || calls.values.empty()) continue;
        std::vector<double> ascending = calls.values;
        std::sort(ascending.begin(), ascending.end());
        for (std::size_t s = 0; s < summaries.size(); ++s) {
          SetValue(indices[s], key.first, ValueOf(summaries[s], ascending), session.rounds[r]);
        }
        SetValue(samples, key.first, static_cast<double>(ascending.size()), session.rounds[r]);
      }
    }
  }
}

}  // namespace perfgate::import
