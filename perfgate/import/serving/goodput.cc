// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/goodput.h"

#include <algorithm>
#include <cmath>

#include "perfgate/import/serving/request_samples.h"

namespace perfgate::import {
namespace {

bool LimitsApply(const Outcome& outcome, const MetricRegistry& registry) {
  return !registry.request_rules().limits.empty() && !outcome.failed_requests.empty() &&
         !outcome.is_failed();
}

// Requests within all limits. A time that a request cannot have (one token has no tpot) is no miss;
// of a metric that the run has nothing of, all are misses.
std::int64_t GoodRequests(const std::vector<RequestSamples>& samples, const RequestRules& rules,
                          const std::vector<bool>& failed) {
  std::vector<bool> good(failed.size());
  for (std::size_t i = 0; i < failed.size(); ++i) good[i] = !failed[i];
  for (const RequestLimit& limit : rules.limits) {
    const auto found = std::find_if(samples.begin(), samples.end(), [&](const RequestSamples& s) {
      return s.metric == limit.metric;
    });
    for (std::size_t i = 0; i < failed.size(); ++i) {
      if (found == samples.end() || found->values[i].value_or(0) > limit.most_s) good[i] = false;
    }
  }
  return std::count(good.begin(), good.end(), true);
}

void Add(const char* metric, double value, const ServingRun& run, const MetricRegistry& registry,
         RecordWriter* writer) {
  Record record = writer->blank(run);
  record.metric = registry.resolve(metric)->metric;
  writer->add(std::move(record), value);
}

}  // namespace

void AddGoodput(const ServingRun& run, const Outcome& outcome, const MetricRegistry& registry,
                RecordWriter* writer, Document* document) {
  const RequestRules& rules = registry.request_rules();
  if (outcome.is_failed()) return;
  const auto sent = static_cast<double>(*run.completed + outcome.failed.value_or(0));
  if (rules.allowed_failures > 0 && outcome.failed) {
    Add("failed_share", static_cast<double>(*outcome.failed) / sent, run, registry, writer);
  }
  if (rules.limits.empty()) return;
  if (!LimitsApply(outcome, registry)) {
    document->warnings.push_back(run.where +
                                 ": limits of requests need the time of every request; save the "
                                 "details of requests");
    return;
  }
  const auto good = static_cast<double>(
      GoodRequests(SamplesOf(run, outcome.failed_requests), rules, outcome.failed_requests));
  Add("limit_misses", 1 - good / sent, run, registry, writer);
  if (run.duration_s && *run.duration_s > 0 && std::isfinite(*run.duration_s)) {
    Add("request_goodput", good / *run.duration_s, run, registry, writer);
  }
}

bool IsReplaced(const ServingSummary& summary, const Outcome& outcome,
                const MetricRegistry& registry) {
  const auto metric = registry.resolve(summary.key);
  return metric && metric->metric.name == "request_goodput" && LimitsApply(outcome, registry);
}

}  // namespace perfgate::import
