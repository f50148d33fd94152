// SPDX-License-Identifier: Apache-2.0
// vllm_latency.h: result files of `vllm bench latency --output-json`.
//
// `latencies` holds one sample per batch, all of one process. The file does not say which model,
// batch size or lengths: a launcher must supply them before two files can be compared.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/import/record.h"

namespace perfgate::import {

// `first`: the first document of the file (first_document()).
bool looks_like_vllm_latency(const nlohmann::json& first);

Document read_vllm_latency(std::string_view bytes, const std::string& name);

}  // namespace perfgate::import
