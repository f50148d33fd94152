// SPDX-License-Identifier: Apache-2.0
// markdown_reader.h: the tables of a Markdown file, with the claims and counts around them.
//
// Reads what people publish rather than what the grammar allows: rows without the leading pipe,
// headers printed again between rows, short rows, tables inside fenced code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/audit/read/finding.h"
#include "perfgate/audit/read/table.h"

namespace perfgate::audit {

// A heading that states a number, "Failed tasks (12)", and how many items follow it.
struct CountedList {
  int line = 0;
  std::string heading;
  int stated = 0;
  int items = 0;
  std::vector<std::string> names;  // of the items of a list, without what follows a colon
};

struct Line {
  int number = 0;
  std::string text;
};

struct MarkdownDocument {
  std::string file;
  std::vector<Table> tables;
  std::vector<CountedList> lists;
  std::vector<Line> prose;  // everything that is neither a table nor fenced code
};

// Error(kData) with file and line for text that is not UTF-8 or has control characters, for a rule
// that does not fit its header, and for a file without any table. Rows that do not fit become
// findings.
MarkdownDocument read_markdown(std::string_view text, const std::string& file,
                               std::vector<Finding>& findings);

// The cells of one line: pipes escaped by a backslash belong to the cell. With `keep_code`, so do
// pipes inside `code spans`.
std::vector<std::string> split_cells(std::string_view line, bool keep_code);

}  // namespace perfgate::audit
