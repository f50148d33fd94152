// SPDX-License-Identifier: Apache-2.0
// json_text.h: JSON values and the way to them, as messages show them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// clang-tidy 14 does not see the inline one.
// NOLINTNEXTLINE(modernize-concat-nested-namespaces)
namespace perfgate::inline base::json_io {

// A key as a step of a JSON pointer, RFC 6901: "a/b" is "a~1b".
std::string pointer_step(std::string_view key);

// The text as JSON in ASCII; bytes that are not UTF-8 become U+FFFD.
std::string Quoted(std::string_view text);

// What stands in the file, short enough for a message: "a list of 3", "1.5", "\"text\"".
std::string shown(const nlohmann::json& value);

}  // namespace perfgate::inline base::json_io
