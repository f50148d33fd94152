// SPDX-License-Identifier: Apache-2.0
// record.h: what every foreign benchmark file is read into before it becomes a session.
//
// One record is one value of one case and metric. Readers say what the file says and decide
// nothing: they keep failed rows, mark aggregates and never guess an arm. docs/import.md has the
// formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::import {

// One measured value, or a mean that the tool itself formed.
enum class RecordKind { kSample, kAggregate };

enum class Status {
  kOk,
  kFailed,      // the tool reports an error, a signal or a non-zero exit
  kSkipped,     // the benchmark skipped itself
  kTimeout,     // ended by a limit
  kMissing,     // expected and not there
  kUnmeasured,  // it ran, and the tool accepted none of its samples
  kRejected,    // a value that cannot be true: NaN, infinite, zero or negative time, forged
};

struct Record {
  std::string case_name;  // from identity fields, never from a file name
  int round = 0;          // launch of a process or server within the file: the independent unit
  int order = -1;         // position in the round; -1 where the file lost it
  Metric metric;          // canonical unit: s, B, B/s, tok/s, req/s, Hz, 1, 1/s
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN unless status is kOk
  std::int64_t iterations = 1;                              // calls averaged into the value
  std::vector<double> calls{};  // the calls one by one, where the file has them and averaged them
  RecordKind kind = RecordKind::kSample;
  std::string statistic;  // of an aggregate: "mean", "median", "p99", "stddev", "cv"; else empty
  Status status = Status::kOk;
  std::string detail;  // why it is not kOk: the tool's own message
  // Shown but never decided on: its direction is not known, or it says nothing of speed.
  bool informational = false;
  bool unknown = false;  // informational because nobody says what its name means
  std::size_t row = 0;   // which row of the file, counted from 1, for messages
};

// Names and values that must agree before two results may be compared; absent names are absent, not
// empty. Keys are dotted lower-case: "model", "output_len", "context.num_cpus".
using Fields = std::map<std::string, std::string>;

// One file.
struct Document {
  std::string format;    // "google_benchmark", "nvbench", "vllm_serve", "hyperfine", ...
  std::string version;   // of the tool that wrote it; empty where the file does not say
  std::string name;      // file name as given, for messages
  std::string digest;    // "sha256:<hex>" of its bytes
  std::string recorded;  // when it was written, as the file says; empty: it does not
  std::string commit;    // revision of the code that ran, as the file says; empty: it does not
  std::vector<Record> records;
  std::map<std::string, Fields> workload;  // by case: fields that say what was run
  Fields environment;                      // where it ran
  // Percentiles that the file itself names of a metric that it has samples of: "p90" of "ttft".
  std::map<std::string, std::set<std::string>> percentiles;
  Fields unstated;  // required by the format itself: "environment.x" to "missing" or "pending"
  std::vector<std::string> warnings;
};

}  // namespace perfgate::import
