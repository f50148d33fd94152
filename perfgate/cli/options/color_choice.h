// SPDX-License-Identifier: Apache-2.0
// color_choice.h: whether output is coloured.
#pragma once

#include <string>

namespace perfgate::cli {

// What the environment says on colours: the values of NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM,
// null where one is not set.
struct ColorEnvironment {
  const char* no_color = nullptr;
  const char* clicolor = nullptr;
  const char* clicolor_force = nullptr;
  const char* term = nullptr;
};

// Whether to colour: --color wins over the environment, and that over what the output is.
bool UsesColor(const std::string& color, bool is_terminal, const ColorEnvironment& environment);

}  // namespace perfgate::cli
