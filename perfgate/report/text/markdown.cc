// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/markdown.h"

#include <algorithm>

#include "perfgate/report/text/text.h"

namespace perfgate::report {

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_[]|~#@";
  std::string result;
  for (const char c : escaped_controls(text)) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      if (kMarkup.find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string markdown_code(std::string_view text) {
  const std::string safe = escaped_controls(text);
  if (safe.find_first_not_of(' ') == std::string::npos) return "(no name)";
  std::size_t longest = 0;
  std::size_t run = 0;
  std::string inner;
  for (const char c : safe) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|') inner += '\\';
    inner += c;
  }
  // A fence one backtick longer than any run inside; the spaces are dropped when it is rendered.
  const std::string fence(longest + 1, '`');
  const bool pad = longest > 0;
  return fence + (pad ? " " : "") + inner + (pad ? " " : "") + fence;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string markdown_header(const std::vector<std::string>& cells,
                            const std::vector<Align>& align) {
  std::string rule = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rule += i < align.size() && align[i] == Align::kRight ? "---:|" : "---|";
  }
  return markdown_row(cells) + rule + "\n";
}

std::string markdown_details(std::string_view summary, std::span<const Fact> facts) {
  std::string text = "<details>\n<summary>" + markdown_text(summary) + "</summary>\n\n";
  for (const Fact& fact : facts) {
    text += "- **" + fact.label + "**: " + markdown_text(fact.value) + "\n";
  }
  return text + "\n</details>\n";
}

std::string block_name(std::size_t index) {
  std::string name;
  for (++index; index > 0; index = (index - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('A' + (index - 1) % 26));
  }
  return name;
}

}  // namespace perfgate::report
