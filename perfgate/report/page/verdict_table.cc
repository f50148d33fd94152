// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/page/verdict_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/base/text/join.h"
#include "perfgate/report/page/page_parts.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/markup.h"

namespace perfgate::report {
namespace {

constexpr double kPlotWidth = 170;
constexpr double kPlotMiddle = kPlotWidth / 2;
constexpr double kPlotHalf = 80;  // of it, between 0 and the end of the scale
constexpr std::size_t kMostUnfolded = 60;

using Columns = std::vector<const ColumnVerdict*>;

// What all rows of a table share.
struct TableScale {
  TableUnit unit;
  double end = 0;        // effect at the right end of the plots
  double tolerance = 0;  // that most rows have
  std::size_t number = 0;
};

// Nine of ten ends of intervals are within the scale, and three tolerances at least. The others
// reach its edge.
double PlotEnd(const SuiteVerdict& verdict) {
  std::vector<double> ends;
  for (const ColumnVerdict& column : verdict.columns) {
    if (!is_relative(column.metric.kind)) continue;
    for (const double end : {column.effect.lo, column.effect.hi, column.effect.estimate}) {
      if (std::isfinite(end)) ends.push_back(std::abs(end));
    }
  }
  constexpr double kTolerances = 3;
  const double least = std::max(kTolerances * verdict.policy.tolerance, 0.001);
  if (ends.empty()) return least;
  constexpr double kShare = 0.9;
  const auto at = static_cast<std::ptrdiff_t>(kShare * static_cast<double>(ends.size() - 1));
  std::nth_element(ends.begin(), ends.begin() + at, ends.end());
  return std::max(least, ends[static_cast<std::size_t>(at)] * 1.1);
}

double PlotX(const TableScale& scale, double effect) {
  const double share = std::clamp(effect / scale.end, -1.05, 1.05);
  return kPlotMiddle + share * kPlotHalf;
}

std::string TolerancePath(const TableScale& scale, double tolerance) {
  if (tolerance > scale.end) return "";
  return fmt::format(R"(<path class="tolerance" d="M{:.1f} 0V17"/>)", PlotX(scale, tolerance));
}

// An arrowhead where something lies beyond the scale.
std::string BeyondPath(const TableScale& scale, double lo, double hi) {
  if (hi > scale.end) return R"(<path class="beyond" d="M163 4L170 8.500 163 13z"/>)";
  if (lo < -scale.end) return R"(<path class="beyond" d="M7 4L0 8.500 7 13z"/>)";
  return "";
}

std::string IntervalPlot(const TableScale& scale, const ColumnVerdict& column) {
  const Effect& effect = column.effect;
  if (!is_relative(column.metric.kind) || !std::isfinite(effect.estimate)) return "";
  const bool interval = has_interval(column);
  const double lo = interval ? effect.lo : has_range(column) ? effect.range_lo : effect.estimate;
  const double hi = interval ? effect.hi : has_range(column) ? effect.range_hi : effect.estimate;
  std::string text =
      fmt::format(R"(<svg class="plot" viewBox="0 0 170 17"><use href="#z{}"/>)", scale.number);
  if (column.tolerance != scale.tolerance) {
    text += TolerancePath(scale, column.tolerance);
  } else {
    text += fmt::format("<use href=\"#t{}\"/>", scale.number);
  }
  text += fmt::format(R"(<path class="{}" d="M{:.1f} 8.500H{:.1f}"/>)", interval ? "ends" : "range",
                      PlotX(scale, lo), PlotX(scale, hi));
  if (std::abs(effect.estimate) <= scale.end) {
    text +=
        fmt::format(R"(<circle cx="{:.1f}" cy="8.500" r="3.500"/>)", PlotX(scale, effect.estimate));
  }
  return text + BeyondPath(scale, lo, hi) + "</svg>";
}

std::string NumberCellHtml(const std::string& label, const std::string& text) {
  if (text.empty() || text == "-") return "<td class=\"r\"></td>";
  return fmt::format(R"(<td class="r" data-of="{}">{}</td>)", label, MarkupText(text));
}

std::string VerdictRow(const ColumnVerdict& column, const Policy& policy, const TableScale& scale) {
  std::string word(to_string(column.verdict));
  std::ranges::replace(word, '_', ' ');
  std::string note = claim_text(column.rounds, column.claim);
  std::ranges::replace(note, '_', ' ');
  const std::string more = note_text(column, policy);
  if (!more.empty()) AppendItem(note, more);
  if (!column.gated) AppendItem(note, "not gated");
  std::string name = NameHtml(column.case_name);
  if (column.metric.name != "real_time") name += " [" + NameHtml(column.metric.name) + "]";
  const std::string interval = interval_text(column);
  return fmt::format(R"(<tr class="{}"><td class="word">{}</td><td class="name">{}</td>)",
                     ToneOf(column.verdict), word, name) +
         NumberCellHtml("baseline", ValueInTable(column.baseline, column.metric, scale.unit)) +
         NumberCellHtml("candidate", ValueInTable(column.candidate, column.metric, scale.unit)) +
         NumberCellHtml("change", format_change(column.effect.estimate, column.metric)) +
         NumberCellHtml("interval", interval) + "<td>" + IntervalPlot(scale, column) + "</td>" +
         NumberCellHtml("n", column.rounds == 0 ? "" : std::to_string(column.rounds)) +
         "<td class=\"note\">" + MarkupText(note) + "</td></tr>\n";
}

std::string TableHead(const SuiteVerdict& verdict, const TableScale& scale) {
  const std::string label = interval_label(verdict.columns);
  const Metric time;
  const std::string end = format_change(scale.end, time);
  return "<table class=\"cases verdicts\"><thead><tr><th>verdict</th><th>case</th><th "
         "class=\"r\">baseline "
         "[" +
         MarkupText(scale.unit.name) + "]</th><th class=\"r\">candidate [" +
         MarkupText(scale.unit.name) + R"(]</th><th class="r">change</th><th class="r">)" +
         (label.empty() ? "interval" : label) +
         R"(</th><th><svg class="plot axis" viewBox="0 0 170 17"><text x="0" y="13">-)" +
         end.substr(1) +
         "</text><text x=\"85\" y=\"13\" text-anchor=\"middle\">0</text><text x=\"170\" y=\"13\" "
         "text-anchor=\"end\">" +
         end + "</text></svg></th><th class=\"r\">n</th><th>claim</th></tr></thead><tbody>\n";
}

std::string CasesTable(const Columns& columns, const SuiteVerdict& verdict,
                       const TableScale& scale) {
  std::string text = TableHead(verdict, scale);
  for (const ColumnVerdict* column : columns) text += VerdictRow(*column, verdict.policy, scale);
  return text + "</tbody></table>\n";
}

// Lines that every row shows, drawn once.
std::string SharedMarks(const TableScale& scale) {
  return fmt::format(
      "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>"
      "<path id=\"z{0}\" class=\"zero\" d=\"M{1} 0V17\"/><g id=\"t{0}\" "
      "class=\"plot\">{2}</g></defs></svg>\n",
      scale.number, kPlotMiddle, TolerancePath(scale, scale.tolerance));
}

std::string LegendMarkup(const SuiteVerdict& verdict, const TableScale& scale) {
  const Metric time;
  std::string text = "Baseline and candidate: medians over n rounds, times in " + scale.unit.name +
                     ". Change of the candidate against the baseline, + is worse. " +
                     interval_legend(verdict.columns) + " Plots reach from -" +
                     format_change(scale.end, time).substr(1) + " to " +
                     format_change(scale.end, time) +
                     ", the dashed line is the tolerance, and an arrow lies beyond.";
  return ElementOf("p", text, "soft");
}

}  // namespace

std::string VerdictTableHtml(const SuiteVerdict& verdict, std::size_t number) {
  if (verdict.columns.empty()) return "";
  const TableScale scale{UnitOf(verdict.columns), PlotEnd(verdict), verdict.policy.tolerance,
                         number};
  Columns first;
  Columns passed;
  for (const ColumnVerdict& column : verdict.columns) {
    (column.verdict == Verdict::kNoRegression ? passed : first).push_back(&column);
  }
  std::string text = SharedMarks(scale) + LegendMarkup(verdict, scale);
  if (!first.empty()) text += CasesTable(first, verdict, scale);
  if (passed.empty()) return text;
  const char* open = passed.size() <= kMostUnfolded ? " open=\"open\"" : "";
  return text +
         fmt::format("<details{}><summary>{} without a regression</summary>\n", open,
                     counted(passed.size(), "case")) +
         CasesTable(passed, verdict, scale) + "</details>\n";
}

}  // namespace perfgate::report
