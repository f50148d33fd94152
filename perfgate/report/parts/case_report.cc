// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parts/case_report.h"

#include <utility>

#include "perfgate/report/parts/case_table.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/text/markdown.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

// Empty where no line is of this kind.
std::string TableOf(const CaseReport& report, bool deciding, const ConsoleOptions& options) {
  std::vector<Row> rows(1);
  for (const std::string& cell : report.header) rows[0].push_back({cell, ""});
  std::vector<std::string> notes;
  for (const CaseLine& line : report.lines) {
    if (line.decides != deciding) continue;
    Row& row = rows.emplace_back();
    for (const std::string& cell : line.cells) row.push_back({escaped_ascii(cell), ""});
    if (options.color) row[report.colored].color = line.color;
    notes.push_back(escaped_ascii(line.note));
  }
  return rows.size() == 1 ? ""
                          : case_table(std::move(rows), report.align, notes,
                                       std::max(report.width, options.TableWidth()));
}

std::string LinesMarkdown(const CaseReport& report) {
  std::vector<std::string> header = report.header;
  const bool tells_deciding = !report.second_table.empty();
  if (tells_deciding) header.emplace_back("decides");
  header.push_back(report.note_header);
  std::string text = markdown_header(header, report.align);
  for (const CaseLine& line : report.lines) {
    std::vector<std::string> cells = {markdown_code(line.cells.at(0))};
    for (std::size_t i = 1; i < line.cells.size(); ++i) {
      cells.push_back(markdown_text(line.cells[i]));
    }
    if (tells_deciding) cells.emplace_back(line.decides ? "yes" : "no");
    cells.push_back(markdown_text(line.note));
    text += markdown_row(cells);
  }
  return text;
}

}  // namespace

std::string ConsoleText(const CaseReport& report, const ConsoleOptions& options) {
  constexpr bool kDeciding = true;
  std::string text = TableOf(report, kDeciding, options);
  const std::string shown = TableOf(report, !kDeciding, options);
  if (!shown.empty()) text += report.second_table + "\n" + shown;
  if (!text.empty()) text += "\n";
  text += paragraph(escaped_ascii(report.conclusion), options.ProseWidth());
  if (!report.how_to_read.empty())
    text += fact_lines("Read", report.how_to_read, options.ProseWidth());
  text += fact_list(report.facts, options.ProseWidth());
  if (!report.snippet.empty()) text += fact_lines("Rules", report.snippet_use) + report.snippet;
  return text;
}

std::string MarkdownText(const CaseReport& report) {
  std::string text = markdown_text(report.conclusion) + "\n\n" + LinesMarkdown(report);
  text += "\n";
  if (!report.how_to_read.empty()) text += markdown_text(report.how_to_read) + "\n\n";
  if (!report.snippet.empty()) text += "```\n" + report.snippet + "```\n\n";
  std::vector<Fact> facts = report.facts;
  for (std::size_t i = 1; i < facts.size(); ++i) {
    if (facts[i].label.empty()) facts[i].label = facts[i - 1].label;
  }
  return text + markdown_details(report.details_summary, facts);
}

}  // namespace perfgate::report
