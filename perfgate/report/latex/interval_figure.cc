// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/latex/interval_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/report/figures/chart.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/latex.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

constexpr double kPlotCm = 6.5;
constexpr double kLineCm = 0.26;             // of the small print of a name
constexpr std::size_t kLettersPerLine = 36;  // at least so many fit beside the plot
// A picture must fit on a page.
constexpr double kMostCm = 21;

std::vector<const ColumnVerdict*> ColumnsWithIntervals(const SuiteVerdict& verdict) {
  std::vector<const ColumnVerdict*> columns;
  for (const ColumnVerdict& column : verdict.columns) {
    const bool drawn = column.gated && has_interval(column) && is_relative(column.metric.kind);
    if (drawn) columns.push_back(&column);
  }
  return columns;
}

Axis EffectAxis(const std::vector<const ColumnVerdict*>& columns) {
  std::vector<double> ends = {0};
  for (const ColumnVerdict* column : columns) {
    for (const double effect : {column->effect.lo, column->effect.hi, column->tolerance}) {
      ends.push_back(effect * 100);
    }
  }
  return LinearAxis("change [%], + is worse", ends);
}

double RowCm(const std::string& name) {
  const std::size_t lines = escaped_ascii(name).size() / kLettersPerLine + 1;
  return std::max(kLineCm * static_cast<double>(lines) + 0.1, 0.4);
}

std::string IntervalRow(const Axis& axis, const ColumnVerdict& column, double y) {
  const auto at = [&](double effect) { return Along(axis, effect * 100) * kPlotCm; };
  return fmt::format(
      "\\node[left,text width=5.4cm,align=right,font=\\tiny\\ttfamily] at (-0.1,{0:.3f}) {{{1}}};\n"
      "\\draw[perfgatetolerance,dashed] ({2:.3f},{3:.3f})--({2:.3f},{4:.3f});\n"
      "\\draw[perfgatecandidate,thick] ({5:.3f},{0:.3f})--({6:.3f},{0:.3f});\n"
      "\\fill[perfgatecandidate] ({7:.3f},{0:.3f}) circle (0.06);\n",
      y, BreakableLatex(column_name(column)), at(column.tolerance), y - 0.17, y + 0.17,
      at(column.effect.lo), at(column.effect.hi), at(column.effect.estimate));
}

}  // namespace

std::string IntervalFigure(const SuiteVerdict& verdict) {
  const std::vector<const ColumnVerdict*> columns = ColumnsWithIntervals(verdict);
  if (columns.empty()) return "";
  std::vector<const ColumnVerdict*> shown;
  double height = 0;
  for (const ColumnVerdict* column : columns) {
    const double row = RowCm(column_name(*column));
    if (shown.size() == kMostIntervals || (!shown.empty() && height + row > kMostCm)) break;
    shown.push_back(column);
    height += row;
  }
  const Axis axis = EffectAxis(shown);
  std::string text = "\\noindent\\begin{tikzpicture}[font=\\scriptsize]\n";
  for (const Tick& tick : axis.ticks) {
    text += fmt::format(
        "\\draw[gray!25] ({0:.3f},0)--({0:.3f},{1:.3f}); \\node[below] at ({0:.3f},{1:.3f}) "
        "{{{2}}};\n",
        Along(axis, tick.at) * kPlotCm, -height, LatexText(tick.text));
  }
  text += fmt::format("\\draw[perfgatezero] ({0:.3f},0)--({0:.3f},{1:.3f});\n",
                      Along(axis, 0) * kPlotCm, -height);
  double y = 0;
  for (const ColumnVerdict* column : shown) {
    const double row = RowCm(column_name(*column));
    text += IntervalRow(axis, *column, y - row / 2);
    y -= row;
  }
  text += fmt::format("\\node[below left] at ({},{:.3f}) {{{}}};\n\\end{{tikzpicture}}\n\n",
                      kPlotCm, -height - 0.35, LatexText(axis.label));
  text +=
      "{\\footnotesize Change of the candidate and its 95\\,\\% interval; the dashed line is the "
      "tolerance.";
  if (shown.size() < columns.size()) {
    text += " " + counted(columns.size() - shown.size(), "more case") + " in the table.";
  }
  return text + "\\par}\n\n\\medskip\n";
}

}  // namespace perfgate::report
