// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/vllm_latency.h"

#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/base/json/json_text.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record_value.h"
#include "perfgate/import/serving/serving_json.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import {
namespace {

constexpr const char* kLatencyCase = "latency";

void add_aggregate(Document* document, const Located& located, const Record& blank,
                   const std::string& field, const std::string& statistic, double value,
                   const std::vector<double>& samples) {
  if (const auto expected = recomputed(statistic, samples); expected && std::isfinite(value)) {
    check_summary(located.where, field, value, *expected);
  }
  Record record = blank;
  record.kind = RecordKind::kAggregate;
  record.statistic = statistic;
  append_value(*document, std::move(record), value);
}

void add_percentiles(Document* document, const Located& located, const Record& blank,
                     const std::vector<double>& samples) {
  const auto percentiles = located.cursor().find("percentiles");
  if (!percentiles) return;
  percentiles->require_object();
  for (const auto& [percent, value] : percentiles->json().items()) {
    const auto statistic = canonical_statistic("p" + percent);
    if (!statistic) {
      percentiles->fail("expected percents above 0 and below 100, found " +
                        json_io::Quoted(percent));
    }
    if (const auto number = percentiles->find(percent, &JsonCursor::number)) {
      add_aggregate(document, located, blank, "/percentiles/" + percent, *statistic, *number,
                    samples);
    }
  }
}

}  // namespace

bool looks_like_vllm_latency(const nlohmann::json& first) {
  return first.is_object() && first.contains("avg_latency") && first.contains("latencies");
}

Document read_vllm_latency(std::string_view bytes, const std::string& name) {
  Document document = new_document("vllm_latency", name, bytes);
  const std::vector<Located> documents = read_documents(bytes, name);
  if (documents.size() > 1) {
    throw Error(Exit::kInvalid,
                documents[1].where + ": a second document; vllm bench latency writes one per file");
  }
  const Located& located = documents[0];
  const JsonCursor root = located.cursor();
  Record blank;
  blank.case_name = kLatencyCase;
  blank.metric = MetricRegistry::built_in().resolve("latency")->metric;
  blank.row = 1;
  const std::vector<double> samples =
      root.find("latencies", &JsonCursor::numbers).value_or(std::vector<double>());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Record record = blank;
    record.order = static_cast<int>(i);
    append_value(document, std::move(record), samples[i]);
  }
  if (const auto mean = root.find("avg_latency", &JsonCursor::number)) {
    add_aggregate(&document, located, blank, "/avg_latency", "mean", *mean, samples);
  }
  if (const auto spread = root.find("std_latency", &JsonCursor::number)) {
    add_aggregate(&document, located, blank, "/std_latency", "stddev", *spread, samples);
  }
  add_percentiles(&document, located, blank, samples);
  if (document.records.empty()) {
    throw Error(Exit::kData, located.where + ": no latency at all; expected \"latencies\"");
  }
  drop_backed_aggregates(&document);
  document.workload[kLatencyCase];
  document.warnings.push_back(located.where +
                              ": the file does not say which model, batch size and lengths were "
                              "run; only a launcher's record can");
  return document;
}

}  // namespace perfgate::import
