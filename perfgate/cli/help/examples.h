// SPDX-License-Identifier: Apache-2.0
// examples.h: two command lines for every command, for its help and its man page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfgate::cli {

struct Example {
  std::string_view line;
  std::string_view meaning;
};

// Of "gate" or "baseline record"; empty for a command that has none.
std::vector<Example> ExamplesOf(std::string_view command);

// "Examples:" and the lines with what they do; empty where there are none.
std::string ExamplesText(std::string_view command);

}  // namespace perfgate::cli
