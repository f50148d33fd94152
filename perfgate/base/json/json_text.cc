// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/json/json_text.h"

#include <cmath>

// clang-tidy 14 does not see the inline one.
// NOLINTNEXTLINE(modernize-concat-nested-namespaces)
namespace perfgate::inline base::json_io {

std::string pointer_step(std::string_view key) {
  std::string step;
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

std::string Quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string shown(const nlohmann::json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    return "a number that is not finite";
  }
  std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  constexpr std::size_t kLongest = 60;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

}  // namespace perfgate::inline base::json_io
