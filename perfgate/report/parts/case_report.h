// SPDX-License-Identifier: Apache-2.0
// case_report.h: a report with a line per case as a value, and its two forms
//
// The reports of calibrations, plans and parity say what stands in a CaseReport; ConsoleText and
// MarkdownText write it: the table, one sentence, how to read the table, then labelled facts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/report/parts/console_options.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/text/table.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {

// Texts are not escaped.
struct CaseLine {
  std::vector<std::string> cells;  // the first is the name of the case
  std::string note;                // empty: there is nothing to add
  std::string_view color = {};     // of the cell CaseReport::colored, in the console
  bool decides = true;             // false: in the second table
};

struct CaseReport {
  std::vector<std::string> header;
  std::vector<Align> align;
  std::vector<CaseLine> lines;
  std::size_t colored = 0;
  std::size_t width = kConsoleWidth;  // of the table in the console
  std::string note_header = "note";   // in Markdown
  // Head of the console's second table, of lines that do not decide; in Markdown the lines say it
  // themselves. Empty: all lines are alike.
  std::string second_table = {};
  std::string conclusion;
  std::string_view how_to_read;  // may be empty
  std::vector<Fact> facts;       // an empty label: more of the fact in front
  std::string details_summary;   // of the folded facts in Markdown
  std::string snippet = {};      // a block of text to copy, and what it is for
  std::string snippet_use = {};
};

std::string ConsoleText(const CaseReport& report, const ConsoleOptions& options);

std::string MarkdownText(const CaseReport& report);

}  // namespace perfgate::report
