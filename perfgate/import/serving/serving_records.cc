// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/serving_records.h"

#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/evidence/metrics/parse_request_rules.h"
#include "perfgate/import/serving/goodput.h"
#include "perfgate/import/serving/serving_json.h"
#include "perfgate/import/serving/serving_requests.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import {
namespace {

// The lengths of the outputs, as far as they fit: "128" for all, "128x3 64" in order.
std::string lengths_text(const std::vector<std::int64_t>& lengths) {
  constexpr std::size_t kLongest = 120;
  std::string text;
  for (std::size_t i = 0; i < lengths.size();) {
    std::size_t end = i;
    while (end < lengths.size() && lengths[end] == lengths[i]) ++end;
    if (!text.empty()) text += ' ';
    text += std::to_string(lengths[i]) + "x" + std::to_string(end - i);
    if (text.size() > kLongest) {
      // FNV-1a over the numbers: equal lists have equal texts, others differ.
      std::uint64_t hash = 14695981039346656037U;
      for (const std::int64_t length : lengths) {
        hash = (hash ^ static_cast<std::uint64_t>(length)) * 1099511628211U;
      }
      return std::to_string(lengths.size()) + " lengths, hash " + std::to_string(hash);
    }
    i = end;
  }
  return text;
}

// Runs of one case may differ in these; both values are kept.
void join_field(Fields* fields, const std::string& key, const std::string& value) {
  std::string& joined = (*fields)[key];
  if (joined.empty()) {
    joined = value;
  } else if (joined != value && !joined.ends_with("; " + value)) {
    joined += "; " + value;
  }
}

void add_workload(const ServingRun& run, const Outcome& outcome, const RequestRules& rules,
                  Document* document) {
  Fields& fields = document->workload[run.case_name];
  for (const auto& [key, value] : run.identity) add_field(&fields, key, value, run.where);
  // Arms that were read by different rules are not comparable.
  if (!rules.limits.empty()) fields["request_limits"] = LimitsText(rules);
  if (rules.allowed_failures > 0) {
    fields["allowed_failures"] = format_number(rules.allowed_failures);
  }
  // What failed requests leave of these says nothing about the workload.
  if (outcome.is_failed() || rules.allowed_failures > 0) return;
  for (const auto& [key, value] : run.observed) join_field(&fields, key, value);
  const auto count = [&](const char* key, const std::optional<std::int64_t>& value) {
    if (value) join_field(&fields, key, std::to_string(*value));
  };
  count("failed_requests", outcome.failed);
  count("completed_requests", run.completed);
  count("input_tokens", run.input_tokens);
  count("output_tokens", run.output_tokens);
  if (run.output_lens) join_field(&fields, "output_lens", lengths_text(*run.output_lens));
}

// Throughputs are quotients of other fields of the same file.
void check_throughputs(const ServingRun& run) {
  if (!run.duration_s || !(*run.duration_s > 0) || !std::isfinite(*run.duration_s)) return;
  for (const ServingSummary& summary : run.summaries) {
    std::optional<std::int64_t> count;
    if (summary.key == "request_throughput") count = run.completed;
    if (summary.key == "input_throughput") count = run.input_tokens;
    if (summary.key == "output_throughput") count = run.output_tokens;
    if (summary.key == "total_token_throughput" || summary.key == "total_throughput") {
      if (run.input_tokens && run.output_tokens) count = *run.input_tokens + *run.output_tokens;
    }
    if (!count || !std::isfinite(summary.value)) continue;
    check_summary(run.where, "/" + summary.key, summary.value,
                  static_cast<double>(*count) / *run.duration_s);
  }
}

// Metrics whose summaries print 0 because there was nothing to average.
std::set<std::string> unmeasured(const ServingRun& run, const MetricRegistry& registry) {
  std::set<std::string> zero, measured;
  for (const ServingSummary& summary : run.summaries) {
    const auto metric = registry.resolve(summary.key);
    if (!metric || metric->metric.kind != Kind::kTime) continue;
    (summary.value == 0 ? zero : measured).insert(metric->metric.name);
  }
  for (const std::string& name : measured) zero.erase(name);
  return zero;
}

void add_summaries(const ServingRun& run, const Outcome& outcome, const MetricRegistry& registry,
                   RecordWriter* writer, Document* document) {
  const std::set<std::string> absent =
      outcome.is_failed() ? std::set<std::string>() : unmeasured(run, registry);
  for (const std::string& name : absent) {
    document->warnings.push_back(run.where + ": " + name +
                                 " is printed as 0: nothing was averaged (one output token, or no "
                                 "streaming); taken as absent");
  }
  for (const ServingSummary& summary : run.summaries) {
    const auto known = registry.resolve(summary.key);
    if (known && absent.contains(known->metric.name)) continue;
    if (IsReplaced(summary, outcome, registry)) {
      document->warnings.push_back(run.where + ": " + summary.key +
                                   " is formed anew, from the limits that were asked for");
      continue;
    }
    Record record = writer->blank(run);
    record.kind = RecordKind::kAggregate;
    if (known) {
      record.metric = known->metric;
      record.statistic = known->statistic;
      // A time that does not say which statistic it is; of a declared one the run is the sample.
      if (record.statistic.empty() && known->metric.kind == Kind::kTime && !known->declared) {
        record.statistic = "other";
      }
    } else {
      record.metric = Metric{summary.key, "1", Direction::kLower, Kind::kScore};
    }
    // Formed over the run as a whole, as throughputs are: the run's one sample.
    if (record.statistic.empty()) record.kind = RecordKind::kSample;
    record.unknown = !known;
    record.informational = !known || known->family == "speculation" || known->family == "queue" ||
                           record.statistic == "stddev";
    double scale = known ? known->scale : 1;
    if (summary.key == "spec_decode_acceptance_rate") scale = 0.01;  // percent
    writer->add(std::move(record), summary.value * scale, outcome.failure);
  }
}

}  // namespace

void add_serving_runs(Document* document, std::span<const ServingRun> runs,
                      const MetricRegistry& registry) {
  RecordWriter writer(document);
  for (const ServingRun& run : runs) {
    if (!run.completed) {
      throw Error(Exit::kData, run.where +
                                   ": /completed: this field is missing; without it nobody "
                                   "knows how many requests the numbers stand for");
    }
    const RequestRules& rules = registry.request_rules();
    const Outcome outcome = outcome_of(run, rules.allowed_failures);
    check_throughputs(run);
    add_workload(run, outcome, rules, document);
    if (!outcome.failed) {
      document->warnings.push_back(run.where +
                                   ": the file does not say how many requests failed; save the "
                                   "details of requests");
    }
    add_requests(run, outcome, registry, &writer, document);
    add_summaries(run, outcome, registry, &writer, document);
    AddGoodput(run, outcome, registry, &writer, document);
  }
  drop_backed_aggregates(document);
}

}  // namespace perfgate::import
