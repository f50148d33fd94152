// SPDX-License-Identifier: Apache-2.0
// json.h: JSON from files that others wrote, read strictly.
//
// A DOM parser keeps the last of two equal keys and hides that there were two; here each key is
// seen as it is parsed. Refused with the file and the place in it: text that is not JSON, a key
// that appears twice in one object, nesting deeper than 64, numbers that are not finite, bytes
// behind the document, a zero byte.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace engine {

// `where` names the source in messages. Throws Error(kData).
nlohmann::json ParseJson(std::string_view text, const std::string& where);

// The bytes of a regular file of at most 256 MiB; Error(kData) with the reason when it is none or
// cannot be read.
std::string ReadFile(const std::string& path);

}  // namespace engine
