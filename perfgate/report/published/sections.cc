// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/published/sections.h"

#include "perfgate/base/text/join.h"
#include "perfgate/report/text/markdown.h"

namespace perfgate::report {
namespace {

// Texts of others may not end a comment or a list of names in it.
std::string name_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) AppendItem(list, "\"" + name + "\"");
  return "[" + list + "]";
}

std::string grid_markdown(const Grid& grid) {
  std::vector<std::string> header;
  std::vector<Align> align;
  for (const GridColumn& column : grid.columns) {
    header.push_back(markdown_text(column.label));
    align.push_back(column.align);
  }
  std::string text = markdown_header(header, align);
  for (const std::vector<std::string>& row : grid.rows) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (const std::string& cell : row) cells.push_back(markdown_text(cell));
    text += markdown_row(cells);
  }
  text += "\n";
  for (const std::string& derived : grid.derived) text += "<!-- derived: " + derived + " -->\n";
  return grid.derived.empty() ? text : text + "\n";
}

}  // namespace

std::string SumOfColumns(const std::string& out, const std::vector<std::string>& args) {
  return "op=sum, out=" + out + ", args=" + name_list(args) + ", exact=true";
}

std::string SumOfRows(const std::vector<std::string>& columns) {
  return "op=sum_of_rows, row=Total, of=[\"*\"], columns=" + name_list(columns) + ", exact=true";
}

std::vector<Section> PublishedSections(const published::PopulationReview& review,
                                       const PublishedContext& context) {
  std::vector<Section> sections = PopulationSections(review, context);
  for (Section& section : PlanSections(review)) sections.push_back(std::move(section));
  for (Section& section : AppendixSections(review)) sections.push_back(std::move(section));
  return sections;
}

std::string MarkdownSections(const std::string& title, const std::vector<Section>& sections) {
  std::string text = "# " + markdown_text(title) + "\n\n";
  for (const Section& section : sections) {
    text += "## " + markdown_text(section.title) + "\n\n";
    for (const std::string& sentence : section.sentences) {
      text += markdown_text(sentence) + "\n\n";
    }
    if (!section.grid.rows.empty()) text += grid_markdown(section.grid);
  }
  return text;
}

}  // namespace perfgate::report
