// SPDX-License-Identifier: Apache-2.0
// serving_requests.h: the requests of one client run: which failed, and the samples of the others.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/import/serving/serving_run.h"

namespace perfgate::import {

// Which requests failed, as far as the file says.
struct Outcome {
  std::optional<std::int64_t> failed;  // absent: the file does not say
  std::vector<bool> failed_requests;   // by request; empty: not known one by one
  std::string failure;                 // "failed_requests: 3 of 10 ..."; empty: none known
  bool is_failed() const { return !failure.empty(); }
};

// Counts, errors and list lengths of a run against each other; Error(kInvalid) where they disagree.
// allowed_failures: the share of its requests up to which the run is none that failed.
Outcome outcome_of(const ServingRun& run, double allowed_failures);

// Appends records with their position among those of one case and metric.
class RecordWriter {
 public:
  explicit RecordWriter(Document* document) : document_(document) {}

  // A record of the run's case and row.
  Record blank(const ServingRun& run) const;

  // Appends `record` with `value`, or without where `failure` says why. Values that are negative or
  // not finite are rejected, and times and rates of 0.
  void add(Record record, double value, const std::string& failure = {});

 private:
  Document* document_;
  std::map<std::pair<std::string, std::string>, int> next_order_;
};

// Appends the samples of a run with details, checking its summaries against them.
void add_requests(const ServingRun& run, const Outcome& outcome, const MetricRegistry& registry,
                  RecordWriter* writer, Document* document);

}  // namespace perfgate::import
