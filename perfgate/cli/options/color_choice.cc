// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/color_choice.h"

#include <string_view>

namespace perfgate::cli {
namespace {

bool IsSet(const char* value) { return value != nullptr && *value != '\0'; }

}  // namespace

bool UsesColor(const std::string& color, bool is_terminal, const ColorEnvironment& environment) {
  if (color != "auto") return color == "always";
  if (IsSet(environment.no_color)) return false;
  const auto is = [](const char* value, std::string_view text) {
    return value != nullptr && value == text;
  };
  if (IsSet(environment.clicolor_force) && !is(environment.clicolor_force, "0")) return true;
  return is_terminal && !is(environment.clicolor, "0") && !is(environment.term, "dumb");
}

}  // namespace perfgate::cli
