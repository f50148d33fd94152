// SPDX-License-Identifier: Apache-2.0
// vllm_throughput.h: result files of `vllm bench throughput --output-json`.
//
// One sample per file: one file is one round. Tokens count prompt and output together.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/import/record.h"

namespace perfgate::import {

// `first`: the first document of the file (first_document()).
bool looks_like_vllm_throughput(const nlohmann::json& first);

Document read_vllm_throughput(std::string_view bytes, const std::string& name);

}  // namespace perfgate::import
