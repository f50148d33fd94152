// SPDX-License-Identifier: Apache-2.0
// latex_text.cc: sections as LaTeX of class article, without packages.
#include <algorithm>

#include "perfgate/report/published/sections.h"
#include "perfgate/report/text/latex.h"

namespace perfgate::report {
namespace {

// A page of small print holds so many lines.
constexpr std::size_t kRowsPerTabular = 40;

std::string column_letters(const Grid& grid) {
  std::string letters;
  for (const GridColumn& column : grid.columns) {
    letters += column.wide ? "p{5cm}" : column.align == Align::kRight ? "r" : "l";
  }
  return letters;
}

std::string latex_row(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    // A bracket at the front of a row would be an argument of the line break before it.
    row += (i == 0 ? "{}" : " & ") + LatexText(cells[i]);
  }
  return row + " \\\\\n";
}

std::string grid_latex(const Grid& grid) {
  std::vector<std::string> header;
  for (const GridColumn& column : grid.columns) header.push_back(column.label);
  std::string text;
  for (std::size_t begin = 0; begin < grid.rows.size(); begin += kRowsPerTabular) {
    const std::size_t end = std::min(begin + kRowsPerTabular, grid.rows.size());
    text += "\\noindent\\begin{tabular}{" + column_letters(grid) + "}\n\\hline\n" +
            latex_row(header) + "\\hline\n";
    for (std::size_t i = begin; i < end; ++i) text += latex_row(grid.rows[i]);
    text += "\\hline\n\\end{tabular}\n\n";
  }
  return text;
}

}  // namespace

std::string LatexSections(const std::string& title, const std::vector<Section>& sections) {
  std::string text =
      "\\documentclass{article}\n"
      "\\begin{document}\n\\footnotesize\n"
      "\\title{" +
      LatexText(title) + "}\n\\author{perfgate}\n\\date{}\n\\maketitle\n\n";
  for (const Section& section : sections) {
    text += "\\section*{" + LatexText(section.title) + "}\n\n";
    for (const std::string& sentence : section.sentences) text += LatexText(sentence) + "\n\n";
    text += grid_latex(section.grid);
  }
  return text + "\\end{document}\n";
}

}  // namespace perfgate::report
