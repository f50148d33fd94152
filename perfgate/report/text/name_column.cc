// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/name_column.h"

#include <algorithm>

#include "perfgate/report/text/shared_parts.h"

namespace perfgate::report {

std::string ShareNameParts(std::vector<Row>& rows, std::size_t column, std::size_t room) {
  if (column_widths(rows).at(column) <= room) return "";
  std::vector<std::string> names;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (!rows[i][column].text.empty()) names.push_back(rows[i][column].text);
  }
  const ShownNames parts = WithoutSharedParts(names);
  std::size_t next = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (!rows[i][column].text.empty()) rows[i][column].text = parts.names[next++];
  }
  return SharedPartsText(parts);
}

std::size_t NameColumnWidth(const std::vector<Row>& rows, std::size_t column, std::size_t room,
                            std::size_t least) {
  std::size_t width = least;
  for (const Row& row : rows) {
    const std::size_t name = row.at(column).text.size();
    if (name <= room) width = std::max(width, name);
  }
  return width;
}

std::string NamedLine(const Row& row, std::size_t name_column,
                      const std::vector<std::size_t>& widths, const std::vector<Align>& align,
                      std::size_t limit) {
  const Cell& name = row.at(name_column);
  if (name.text.size() <= widths.at(name_column)) return table_line(row, widths, align, limit);
  const Row head(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(name_column) + 1);
  Row rest = row;
  for (std::size_t i = 0; i <= name_column; ++i) rest[i] = {};
  return table_line(head, widths, align, std::string::npos) +
         table_line(rest, widths, align, limit);
}

}  // namespace perfgate::report
