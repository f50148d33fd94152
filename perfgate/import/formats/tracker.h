// SPDX-License-Identifier: Apache-2.0
// tracker.h: the record of one tracked run of a serving engine: an object of the sections
// environment, config, launch, workload and results, and optionally kernel_validation.
//
// A script fills the record in before and after the run; fields that nobody filled in keep the
// placeholder of the template. Every field of the layout is required: one that is missing or
// pending is told of (Document::unstated), since it is what tells two runs apart. Results are
// single numbers: throughputs of the run as a whole, and percentiles without their samples.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

bool looks_like_tracker(const nlohmann::json& first);

// Sections may nest objects or dot their keys: "latency": {"ttft_p50_ms": 1} is
// "latency.ttft_p50_ms": 1. Error(kInvalid) where launch and workload state two prompt lengths.
Document read_tracker(std::string_view bytes, const std::string& name,
                      const MetricRegistry& registry = MetricRegistry::built_in());

}  // namespace perfgate::import
