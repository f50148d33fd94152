// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/csv.h"

#include <string_view>

namespace perfgate::report {
namespace {

// "a,b" as "\"a,b\""; plain where nothing needs quotes.
std::string CsvCell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + CsvCell(cells[i]);
  return line + "\r\n";
}

}  // namespace perfgate::report
