// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parts/table.h"

#include <algorithm>

namespace perfgate::report {

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].text.size());
    }
  }
  return widths;
}

std::string table_line(const Row& row, const std::vector<std::size_t>& widths,
                       const std::vector<Align>& align, std::size_t limit) {
  constexpr std::string_view kReset = "\x1b[0m";
  std::string line;
  std::size_t used = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string gap = i == 0 ? "" : "  ";
    if (used + gap.size() >= limit) break;
    const std::string text = row[i].text.substr(0, limit - used - gap.size());
    const std::size_t width = std::min(widths[i], limit - used - gap.size());
    const std::string padding(width - std::min(width, text.size()), ' ');
    line += gap;
    if (align[i] == Align::kRight) line += padding;
    const bool colored = !row[i].color.empty() && !text.empty();
    if (colored) line += row[i].color;
    line += text;
    if (colored) line += kReset;
    if (align[i] == Align::kLeft) line += padding;
    used += gap.size() + text.size() + padding.size();
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace perfgate::report
