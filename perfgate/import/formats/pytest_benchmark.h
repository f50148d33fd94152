// SPDX-License-Identifier: Apache-2.0
// pytest_benchmark.h: what pytest-benchmark writes with --benchmark-json.
//
// One file is one round. `stats.data` are seconds per call, already divided by `iterations`; files
// saved without it have aggregates only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/import/record.h"

namespace perfgate::import {

bool looks_like_pytest_benchmark(const nlohmann::json& document);

// Error(kData): not this format. Error(kInvalid): lists or counts that contradict each other.
Document read_pytest_benchmark(std::string_view bytes, const std::string& name);

}  // namespace perfgate::import
