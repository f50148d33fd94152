// SPDX-License-Identifier: Apache-2.0
// latex_text.cc: sections as LaTeX of class article, without packages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/report/published/sections.h"
#include "perfgate/report/text/latex.h"

namespace perfgate::report {
namespace {

// A page holds more lines of small print, and a tabular cannot be broken over pages.
constexpr double kLinesPerTabular = 55;
// In cm: the width of the text, of a character of small print, and between two columns.
constexpr double kTextWidth = 17.5;
constexpr double kCharacter = 0.15;
constexpr double kBetween = 0.15;

// Long words may be broken after an underscore.
std::string TextOf(std::string_view text) {
  std::string result = LatexText(text);
  constexpr std::string_view kUnderscore = "\\_";
  constexpr std::string_view kBreak = "\\hspace{0pt}";
  for (std::size_t at = 0; (at = result.find(kUnderscore, at)) != std::string::npos;
       at += kUnderscore.size() + kBreak.size()) {
    result.insert(at + kUnderscore.size(), kBreak);
  }
  return result;
}

// What every column would take by itself.
std::vector<double> NaturalWidths(const Grid& grid) {
  std::vector<double> widths;
  for (const GridColumn& column : grid.columns) {
    widths.push_back(kCharacter * static_cast<double>(column.label.size()));
  }
  for (const auto& row : grid.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], kCharacter * static_cast<double>(row[i].size()));
    }
  }
  return widths;
}

// The width at which wider columns are broken so that all of them fit on the page together.
double WidestThatFits(std::vector<double> widths) {
  std::sort(widths.begin(), widths.end());
  double left = kTextWidth - kBetween * static_cast<double>(widths.size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const double share = left / static_cast<double>(widths.size() - i);
    if (widths[i] > share) return share;
    left -= widths[i];
  }
  return kTextWidth;
}

std::string column_letters(const Grid& grid, const std::vector<double>& widths, double widest) {
  std::string letters;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const char* letter = grid.columns[i].align == Align::kRight ? "r" : "l";
    letters += widths[i] > widest ? fmt::format("p{{{:.2f}cm}}", widest) : letter;
  }
  return letters;
}

double LinesOf(const std::vector<std::string>& row, double widest) {
  double lines = 1;
  for (const std::string& cell : row) {
    // Broken at words, so that lines are not full.
    constexpr double kFull = 0.75;
    lines = std::max(lines,
                     std::ceil(kCharacter * static_cast<double>(cell.size()) / (kFull * widest)));
  }
  return lines;
}

std::string latex_row(const std::vector<std::string>& cells) {
  std::string row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    // A bracket at the front of a row would be an argument of the line break before it.
    row += (i == 0 ? "{}" : " & ") + TextOf(cells[i]);
  }
  return row + " \\\\\n";
}

std::string grid_latex(const Grid& grid) {
  std::vector<std::string> header;
  for (const GridColumn& column : grid.columns) header.push_back(column.label);
  const std::vector<double> widths = NaturalWidths(grid);
  const double widest = WidestThatFits(widths);
  const std::string begin = "\\noindent\\begin{tabular}{" + column_letters(grid, widths, widest) +
                            "}\n\\hline\n" + latex_row(header) + "\\hline\n";
  const std::string end = "\\hline\n\\end{tabular}\n\n";
  std::string text;
  double lines = 0;
  for (const auto& row : grid.rows) {
    const double more = LinesOf(row, widest);
    if (lines == 0 || lines + more > kLinesPerTabular) {
      text += (lines == 0 ? "" : end) + begin;
      lines = 0;
    }
    lines += more;
    text += latex_row(row);
  }
  return text.empty() ? text : text + end;
}

}  // namespace

std::string LatexSections(const std::string& title, const std::vector<Section>& sections) {
  std::string text =
      "\\documentclass[a4paper]{article}\n"
      "\\setlength{\\textwidth}{17.5cm}\n\\setlength{\\oddsidemargin}{-0.8cm}\n"
      "\\setlength{\\textheight}{25cm}\n\\setlength{\\topmargin}{-2cm}\n"
      "\\setlength{\\tabcolsep}{2pt}\n"
      "\\begin{document}\n\\scriptsize\n\\sloppy\n"
      "\\title{" +
      TextOf(title) + "}\n\\author{perfgate}\n\\date{}\n\\maketitle\n\n";
  for (const Section& section : sections) {
    text += "\\section*{" + TextOf(section.title) + "}\n\n";
    for (const std::string& sentence : section.sentences) text += TextOf(sentence) + "\n\n";
    text += grid_latex(section.grid);
  }
  return text + "\\end{document}\n";
}

}  // namespace perfgate::report
