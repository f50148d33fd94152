// SPDX-License-Identifier: Apache-2.0
// google_benchmark.h: the JSON that Google Benchmark 1.7 to 1.9 writes with --benchmark_out.
//
// One file is one launch: a round. Each repetition is one sample of `real_time` and `cpu_time`,
// already a mean over its iterations, and one of every counter. Flags come before values: a row
// with `error_occurred` or `skipped` is a failure whatever its times say. docs/import.md lists what
// is not believed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

bool looks_like_google_benchmark(const nlohmann::json& document);

// Error(kData): not this format. Error(kInvalid): rows that contradict each other.
Document read_google_benchmark(std::string_view bytes, const std::string& name,
                               const MetricRegistry& registry = MetricRegistry::built_in());

}  // namespace perfgate::import
