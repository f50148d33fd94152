// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/table.h"

#include <algorithm>

#include "perfgate/report/parts/console_options.h"

namespace perfgate::report {

std::string colored(std::string_view text, std::string_view color) {
  if (color.empty() || text.empty()) return std::string(text);
  return std::string(color).append(text).append(kColorOff);
}

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
    line += colored(text, row[i].color);
    if (align[i] == Align::kLeft) line += padding;
    used += gap.size() + text.size() + padding.size();
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace perfgate::report
