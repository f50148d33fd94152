// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/vllm_latency.h"

#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record_value.h"
#include "perfgate/import/serving/serving_json.h"
#include "perfgate/import/summary_check.h"

namespace perfgate::import {
namespace {

constexpr const char* kCase = "latency";

void add(Document* document, Record record, double value, const char* what) {
  // Equal samples have no spread to speak of.
  if (record.statistic == "stddev" && value == 0) return;
  if (!std::isfinite(value) || value <= 0) {
    record.status = Status::kRejected;
    record.detail = std::isfinite(value) ? std::string(what) + " of " + format_number(value) + " s"
                                         : "not a finite number";
  } else {
    record.value = value;
  }
  document->records.push_back(std::move(record));
}

void add_aggregate(Document* document, const Located& located, const Record& blank,
                   const std::string& field, const std::string& statistic, double value,
                   const std::vector<double>& samples) {
  if (const auto expected = recomputed(statistic, samples); expected && std::isfinite(value)) {
    check_summary(located.where, field, value, *expected);
  }
  Record record = blank;
  record.kind = RecordKind::kAggregate;
  record.statistic = statistic;
  add(document, std::move(record), value, "a latency");
}

void add_percentiles(Document* document, const Located& located, const Record& blank,
                     const std::vector<double>& samples) {
  const auto percentiles = located.value.find("percentiles");
  if (percentiles == located.value.end() || percentiles->is_null()) return;
  if (!percentiles->is_object()) {
    refuse_value(located.where, "/percentiles", "an object", *percentiles);
  }
  const Located inside{*percentiles, located.where, located.row};
  for (const auto& [percent, value] : percentiles->items()) {
    const auto statistic = canonical_statistic("p" + percent);
    if (!statistic) {
      refuse_value(located.where, "/percentiles", "percents above 0 and below 100", percent);
    }
    const auto number = number_at(inside, percent);
    if (number) {
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
  object_of(located);
  Record blank;
  blank.case_name = kCase;
  blank.metric = MetricRegistry::built_in().resolve("latency")->metric;
  blank.row = 1;
  const std::vector<double> samples =
      numbers_at(located, "latencies").value_or(std::vector<double>());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Record record = blank;
    record.order = static_cast<int>(i);
    add(&document, std::move(record), samples[i], "a latency");
  }
  if (const auto mean = number_at(located, "avg_latency")) {
    add_aggregate(&document, located, blank, "/avg_latency", "mean", *mean, samples);
  }
  if (const auto spread = number_at(located, "std_latency")) {
    add_aggregate(&document, located, blank, "/std_latency", "stddev", *spread, samples);
  }
  add_percentiles(&document, located, blank, samples);
  if (document.records.empty()) {
    throw Error(Exit::kData, located.where + ": no latency at all; expected \"latencies\"");
  }
  drop_backed_aggregates(&document);
  document.workload[kCase];
  document.warnings.push_back(located.where +
                              ": the file does not say which model, batch size and lengths were "
                              "run; only a launcher's record can");
  return document;
}

}  // namespace perfgate::import
