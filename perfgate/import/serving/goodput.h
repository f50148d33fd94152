// SPDX-License-Identifier: Apache-2.0
// goodput.h: how many requests of a run failed, and how many were within all limits
// (evidence/metrics/request_rules.h).
//
//   failed_share     failed requests among those that were sent, where some may fail
//   request_goodput  requests within all limits per second of the run, where there are limits
//   limit_misses     the others' share of the requests; a failed request is one of them
#pragma once

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/serving/serving_requests.h"

namespace perfgate::import {

// Appends what the registry's request rules ask for. Without the details of requests nothing is
// known of limits: a warning says so. Nothing for a run that failed.
void AddGoodput(const ServingRun& run, const Outcome& outcome, const MetricRegistry& registry,
                RecordWriter* writer, Document* document);

// True where a number that the tool printed is formed anew from the limits.
bool IsReplaced(const ServingSummary& summary, const Outcome& outcome,
                const MetricRegistry& registry);

}  // namespace perfgate::import
