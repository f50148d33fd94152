// SPDX-License-Identifier: Apache-2.0
// serving_records.h: client runs against a server, as vLLM and SGLang write them, into records.
//
// Both tools descend from one script and share its traps, which are met here:
//   - arrays hold failed requests, with zero or partial times; summaries leave them out;
//   - with nothing to average a summary prints 0: not a time of 0 but no time at all;
//   - summaries are in ms, arrays in s;
//   - a request of one output token has no time per output token.
//
// A run with any failed request is no evidence of speed: its summaries and throughputs become
// failed records, and so does each failed request.
#pragma once

#include <span>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record.h"
#include "perfgate/import/serving/serving_run.h"

namespace perfgate::import {

// Appends the records of all runs, and the workload of each case. Error(kInvalid) where lists,
// counts or summaries contradict each other, or runs of one case had different set-ups.
void add_serving_runs(Document* document, std::span<const ServingRun> runs,
                      const MetricRegistry& registry);

}  // namespace perfgate::import
