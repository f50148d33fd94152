// SPDX-License-Identifier: Apache-2.0
// hyperfine.h: what hyperfine writes with --export-json.
//
// One invocation is one round: it runs the commands in blocks, so its times share whatever the
// machine did meanwhile. Each time is one process; one that ended with another exit code than 0 is
// a failure, although hyperfine -i keeps its time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/import/record.h"

namespace perfgate::import {

bool looks_like_hyperfine(const nlohmann::json& document);

// Error(kData): not this format. Error(kInvalid): lists or counts that contradict each other.
Document read_hyperfine(std::string_view bytes, const std::string& name);

}  // namespace perfgate::import
