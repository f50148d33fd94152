// SPDX-License-Identifier: Apache-2.0
// text_file.h: the JSON files of a model folder.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "perfgate/base/io/regular_file.h"
#include "perfgate/base/json/strict_json.h"

namespace engine {

// The largest tokenizer.json of today has 34 MB.
inline constexpr std::uint64_t kMostText = std::uint64_t{1} << 28U;

inline std::string ReadFile(const std::string& path) {
  return perfgate::ReadRegularFile(path, kMostText);
}

inline nlohmann::json ReadJson(const std::string& path) {
  return perfgate::parse_strict_json(ReadFile(path), path);
}

}  // namespace engine
