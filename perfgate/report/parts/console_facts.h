// SPDX-License-Identifier: Apache-2.0
// console_facts.h: a labelled fact on as many console lines as it needs.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/report/parts/text.h"

namespace perfgate::report {

inline constexpr std::size_t kFactIndent = 10;

// "Machine   Example 9000, ...": the label once, the value wrapped beside it. ASCII only.
inline std::string fact_lines(std::string label, std::string_view value) {
  std::string text;
  label.resize(kFactIndent - 1, ' ');
  for (const std::string& line : wrapped(value, kConsoleWidth - kFactIndent)) {
    text += label;
    text += " ";
    text += line;
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    label.assign(kFactIndent - 1, ' ');
  }
  return text;
}

}  // namespace perfgate::report
