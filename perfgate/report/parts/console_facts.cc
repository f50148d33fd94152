// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parts/console_facts.h"

#include "perfgate/report/text/text.h"

namespace perfgate::report {

std::string paragraph(std::string_view text, std::size_t width) {
  std::string result;
  for (const std::string& line : wrapped(text, width)) result += line + "\n";
  return result;
}

std::string fact_lines(std::string label, std::string_view value, std::size_t width) {
  constexpr std::size_t kIndent = 10;
  std::string text;
  label.resize(kIndent - 1, ' ');
  for (const std::string& line : wrapped(value, width - kIndent)) {
    text += label;
    text += " ";
    text += line;
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    label.assign(kIndent - 1, ' ');
  }
  return text;
}

std::string fact_list(std::span<const Fact> facts, std::size_t width) {
  std::string text;
  for (const Fact& fact : facts) text += fact_lines(fact.label, escaped_ascii(fact.value), width);
  return text;
}

}  // namespace perfgate::report
