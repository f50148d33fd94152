// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/serving_requests.h"

#include <algorithm>
#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/utf8.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/serving/request_samples.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import {
namespace {

[[noreturn]] void contradict(const ServingRun& run, const std::string& what) {
  throw Error(Exit::kInvalid, run.where + ": " + what +
                                  "; the file was edited or mixed from two runs, restore it from "
                                  "the run that wrote it");
}

// The common length of all lists of requests; 0 where there is none.
std::size_t request_count(const ServingRun& run) {
  std::optional<std::pair<std::string, std::size_t>> first;
  const auto look = [&](const char* key, const auto& list) {
    if (!list) return;
    if (!first) first = std::pair(std::string(key), list->size());
    if (first->second != list->size()) {
      contradict(run, "/" + first->first + " has " + std::to_string(first->second) +
                          " elements and /" + key + " " + std::to_string(list->size()));
    }
  };
  look("input_lens", run.input_lens);
  look("output_lens", run.output_lens);
  look("ttfts", run.ttfts);
  look("itls", run.itls);
  look("latencies", run.latencies);
  look("queue_times", run.queue_times);
  look("errors", run.errors);
  return first ? first->second : 0;
}

// The last line of the tool's message, which of a Python traceback is the one that says something.
std::string short_error(const std::string& message) {
  constexpr std::size_t kLongest = 160;
  const auto last = message.find_last_not_of(" \r\n\t");
  if (last == std::string::npos) return "the request failed";
  const auto newline = message.rfind('\n', last);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  return well_formed_utf8(message.substr(begin, std::min(last + 1 - begin, kLongest)));
}

// Requests with an error text. Some failures have an empty one; the tool then counts no output.
std::vector<bool> failed_requests(const ServingRun& run, std::size_t requests) {
  std::vector<bool> failed(requests);
  for (std::size_t i = 0; i < requests; ++i) failed[i] = !(*run.errors)[i].empty();
  const auto successes = [&] { return std::count(failed.begin(), failed.end(), false); };
  if (successes() != *run.completed && run.output_lens) {
    for (std::size_t i = 0; i < requests; ++i) {
      if ((*run.output_lens)[i] == 0) failed[i] = true;
    }
  }
  if (successes() != *run.completed) {
    contradict(run, "/completed is " + std::to_string(*run.completed) + " and /errors leaves " +
                        std::to_string(successes()) + " requests without an error");
  }
  return failed;
}

std::int64_t sum_of(const std::vector<std::int64_t>& lengths, const std::vector<bool>& left_out) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (i >= left_out.size() || !left_out[i]) sum += lengths[i];
  }
  return sum;
}

void check_tokens(const ServingRun& run, const Outcome& outcome) {
  const auto check = [&](const char* key, const char* total_key,
                         const std::optional<std::int64_t>& total,
                         const std::optional<std::vector<std::int64_t>>& lengths) {
    if (!total || !lengths) return;
    const std::int64_t sum = sum_of(*lengths, outcome.failed_requests);
    if (sum != *total) {
      contradict(run, std::string("/") + total_key + " is " + std::to_string(*total) + " and /" +
                          key + " sums to " + std::to_string(sum));
    }
  };
  check("output_lens", "total_output_tokens", run.output_tokens, run.output_lens);
  if (!run.input_counts_differ) {
    check("input_lens", "total_input_tokens", run.input_tokens, run.input_lens);
  }
}

void check_summaries(const ServingRun& run, const RequestSamples& samples,
                     const MetricRegistry& registry) {
  for (const ServingSummary& summary : run.summaries) {
    const auto metric = registry.resolve(summary.key);
    if (!metric || metric->metric.name != samples.metric || !std::isfinite(summary.value)) continue;
    const auto expected = recomputed(metric->statistic, samples.averaged);
    if (!expected) continue;
    const double in_unit = *expected / metric->scale;
    if (samples.exact) {
      check_summary(run.where, "/" + summary.key, summary.value, in_unit);
    } else if (metric->statistic == "mean" && samples.metric != "itl" && in_unit > summary.value) {
      // The tool stops its clock a little after the last token, so it prints no less.
      check_summary(run.where, "/" + summary.key, summary.value, in_unit, 0.01 * in_unit + 1);
    }
  }
}

}  // namespace

Outcome outcome_of(const ServingRun& run, double allowed_failures) {
  Outcome outcome;
  const std::size_t requests = request_count(run);
  if (run.errors) {
    outcome.failed_requests = failed_requests(run, requests);
    outcome.failed = static_cast<std::int64_t>(requests) - *run.completed;
    if (run.failed && *run.failed != *outcome.failed) {
      contradict(run, "/failed is " + std::to_string(*run.failed) + " and /errors tells of " +
                          std::to_string(*outcome.failed));
    }
    check_tokens(run, outcome);
  } else if (run.failed) {
    outcome.failed = run.failed;
  } else if (run.asked) {
    outcome.failed = std::max<std::int64_t>(0, *run.asked - *run.completed);
  }
  if (run.asked && *run.completed + outcome.failed.value_or(0) > *run.asked) {
    contradict(run, "/num_prompts is " + std::to_string(*run.asked) + " and " +
                        std::to_string(*run.completed + outcome.failed.value_or(0)) +
                        " requests completed or failed");
  }
  const std::int64_t sent = *run.completed + outcome.failed.value_or(0);
  const bool accounted = !run.asked || sent >= *run.asked;
  const auto failed = static_cast<double>(outcome.failed.value_or(0));
  if (accounted && *run.completed > 0 && failed <= allowed_failures * static_cast<double>(sent)) {
    // What is left is judged, and the failures beside it.
  } else if (outcome.failed.value_or(0) > 0) {
    outcome.failure = "failed_requests: " + std::to_string(*outcome.failed) + " of " +
                      std::to_string(sent) + " requests failed";
  } else if (*run.completed == 0) {
    outcome.failure = "failed_requests: no request completed";
  } else if (run.asked && sent < *run.asked) {
    outcome.failure = "failed_requests: " + std::to_string(*run.asked) +
                      " requests were asked for and " + std::to_string(sent) + " are accounted for";
  }
  // Without error texts the requests of a clean run are all good, and of another run unknown.
  if (!run.errors && requests > 0 && outcome.failed == 0 &&
      requests == static_cast<std::size_t>(*run.completed)) {
    outcome.failed_requests.assign(requests, false);
  }
  return outcome;
}

Record RecordWriter::blank(const ServingRun& run) const {
  Record record;
  record.case_name = run.case_name;
  record.row = run.row;
  return record;
}

void RecordWriter::add(Record record, double value, const std::string& failure) {
  // Equal samples have no spread to speak of.
  if (record.statistic == "stddev" && value == 0 && failure.empty()) return;
  if (record.kind == RecordKind::kSample) {
    record.order = next_order_[{record.case_name, record.metric.name}]++;
  }
  if (!failure.empty()) {
    record.status = Status::kFailed;
    record.detail = failure;
  } else if (!std::isfinite(value) || value < 0 ||
             (value == 0 && is_relative(record.metric.kind))) {
    record.status = Status::kRejected;
    record.detail = std::isfinite(value)
                        ? "a " + std::string(to_string(record.metric.kind)) + " of " +
                              format_number(value) + " " + record.metric.unit
                        : "not a finite number";
  } else {
    record.value = value;
  }
  document_->records.push_back(std::move(record));
}

void add_requests(const ServingRun& run, const Outcome& outcome, const MetricRegistry& registry,
                  RecordWriter* writer, Document* document) {
  if (outcome.failed_requests.empty()) {
    if (request_count(run) > 0) {
      document->warnings.push_back(run.where +
                                   ": the times of requests are there but not which of them "
                                   "failed; only the summaries are used");
    }
    return;
  }
  const std::vector<bool>& failed = outcome.failed_requests;
  bool first = true;  // a failed request is told of once
  for (const RequestSamples& samples : SamplesOf(run, failed)) {
    check_summaries(run, samples, registry);
    const Metric metric = registry.resolve(samples.metric)->metric;
    // A server that does not stream has no first token to time.
    const bool all_zero = std::all_of(samples.averaged.begin(), samples.averaged.end(),
                                      [](double value) { return value == 0; });
    for (std::size_t i = 0; i < samples.values.size(); ++i) {
      const bool told = !first || !outcome.is_failed();
      if (failed[i] ? told : all_zero || !samples.values[i]) continue;
      Record record = writer->blank(run);
      record.metric = metric;
      record.iterations = samples.iterations[i];
      if (samples.calls != nullptr) record.calls = (*samples.calls)[i];
      record.informational = samples.metric == "client_queue_time";
      std::string failure;
      if (failed[i]) failure = run.errors ? short_error((*run.errors)[i]) : outcome.failure;
      writer->add(std::move(record), samples.values[i].value_or(0), failure);
    }
    first = false;
  }
}

}  // namespace perfgate::import
