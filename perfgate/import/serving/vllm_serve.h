// SPDX-License-Identifier: Apache-2.0
// vllm_serve.h: result files of `vllm bench serve` (--save-result, --append-result).
//
// One object, or one per line. With --save-detailed every request is a sample; without it the
// latencies are aggregates and carry no claim. Model and prompt count can be overwritten by the
// tool's own --metadata, so a launcher that knows better must say so; seed, data set and sampling
// are not in the file at all.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

// `first`: the first document of the file (first_document()).
bool looks_like_vllm_serve(const nlohmann::json& first);

Document read_vllm_serve(std::string_view bytes, const std::string& name,
                         const MetricRegistry& registry = MetricRegistry::built_in());

}  // namespace perfgate::import
