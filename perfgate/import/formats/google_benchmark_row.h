// SPDX-License-Identifier: Apache-2.0
// google_benchmark_row.h: one row of "benchmarks" in a Google Benchmark file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

struct GoogleBenchmarkRow {
  std::size_t number = 0;  // counted from 1
  std::string run_name;    // the identity; "name" carries the aggregate's name as well
  bool aggregate = false;
  std::int64_t repetitions = 0;        // as the row says; 0: it does not
  std::int64_t repetition_index = -1;  // -1: not in the row (aggregates, library before 1.5)
  int threads = 1;
  Fields workload;
  std::vector<Record> records;  // one per metric; of a failed row one
};

// Error(kInvalid) where a counter took the name of a field. registry: a counter decides where a
// metrics file says what it means; perfgate's own names are not taken for the author's.
GoogleBenchmarkRow read_google_benchmark_row(const JsonCursor& place, std::size_t number,
                                             const MetricRegistry& registry);

}  // namespace perfgate::import
