// SPDX-License-Identifier: Apache-2.0
// sglang.h: result files of SGLang's bench_serving: one appended line per client run.
//
// With --output-details every request is a sample; without it the latencies are aggregates. Lines
// of one file are one round: nothing tells whether the server was restarted between them. Seed and
// number of prompts are not in the file, and the model only in newer ones: failures show in
// `errors`, else only a launcher knows them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

// `first`: the first document of the file (first_document()).
bool looks_like_sglang(const nlohmann::json& first);

Document read_sglang(std::string_view bytes, const std::string& name,
                     const MetricRegistry& registry = MetricRegistry::built_in());

}  // namespace perfgate::import
