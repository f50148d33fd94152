// SPDX-License-Identifier: Apache-2.0
// strict_json.h: JSON as evidence: no duplicate keys, no non-finite numbers, no trailing bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace perfgate::inline base {

// What becomes of NaN and Infinity, which JSON does not have and many programs write.
enum class NonFinite {
  kRefuse,  // Error(kInvalid)
  kKeep,    // bare words, signed or not, in any case, become numbers that are not finite
};

// Parses one document. `where` names the file in messages. Throws Error(kData) with file, line and
// column for unparseable text, and Error(kInvalid) for duplicate keys and non-finite numbers.
// Nesting deeper than 64 is refused.
nlohmann::json parse_strict_json(std::string_view text, const std::string& where,
                                 NonFinite non_finite = NonFinite::kRefuse);

// Reads and parses a file; Error(kData) when it cannot be read.
nlohmann::json read_strict_json(const std::string& path);

}  // namespace perfgate::inline base
