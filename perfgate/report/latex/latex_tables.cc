// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/latex/latex_tables.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/report/figures/suite_figures.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/session_summary.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/latex.h"

namespace perfgate::report {
namespace {

// Names break, so a page holds at least so many rows.
constexpr std::size_t kRowsPerPart = 25;

// Cells are LaTeX. The first column is the name, the others as `letters` says.
struct LatexTable {
  std::string letters;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

// Of cells whose lines break; the last one of a row needs \\ to end the row and not a line.
const std::string kRagged = R"(\raggedright\let\\\tabularnewline )";

std::string NameCell(const std::string& name) {
  return R"(\raggedright\ttfamily\scriptsize )" + BreakableLatex(name);
}

std::string RowLatex(const std::vector<std::string>& cells) {
  std::string row;
  // The strut keeps the row off the line above; it also keeps a bracket at the front of the row
  // from being an argument of the line break before it.
  for (std::size_t i = 0; i < cells.size(); ++i)
    row += (i == 0 ? "\\rule{0pt}{2.5ex}" : " & ") + cells[i];
  return row + " \\\\\n";
}

std::string TableLatex(const LatexTable& table) {
  std::string text;
  for (std::size_t begin = 0; begin < table.rows.size(); begin += kRowsPerPart) {
    const std::size_t end = std::min(begin + kRowsPerPart, table.rows.size());
    text += R"({\setlength{\tabcolsep}{3.5pt}\noindent\begin{tabular}{p{4.4cm})" + table.letters +
            "}\n\\hline\n" + RowLatex(table.header) + "\\hline\n";
    for (std::size_t i = begin; i < end; ++i) text += RowLatex(table.rows[i]);
    text += "\\hline\n\\end{tabular}\\par}\n\n\\medskip\n";
  }
  return text;
}

std::string SpacedWord(std::string_view word) {
  std::string text(word);
  std::ranges::replace(text, '_', ' ');
  return LatexText(text);
}

}  // namespace

std::string VerdictLatex(const SuiteVerdict& verdict) {
  const TableUnit unit = UnitOf(verdict.columns);
  const std::string label = interval_label(verdict.columns);
  LatexTable table{"rrrrrp{1.9cm}p{1.5cm}",
                   {"case", "baseline [" + LatexText(unit.name) + "]", "candidate", "change",
                    label.empty() ? "interval" : LatexText(label), "$n$", "verdict", "claim"},
                   {}};
  for (const ColumnVerdict& column : verdict.columns) {
    table.rows.push_back(
        {NameCell(column_name(column)),
         LatexText(ValueInTable(column.baseline, column.metric, unit)),
         LatexText(ValueInTable(column.candidate, column.metric, unit)),
         LatexText(format_change(column.effect.estimate, column.metric)),
         LatexText(interval_text(column)), std::to_string(column.rounds),
         kRagged + SpacedWord(to_string(column.verdict)) + (column.gated ? "" : " (not gated)"),
         column.rounds == 0 ? "" : kRagged + SpacedWord(to_string(column.claim))});
  }
  return TableLatex(table);
}

std::string SessionLatex(const Session& session) {
  LatexTable table{"lrrrr", {"case", "arm", "median", "interval", "confidence", "$n$"}, {}};
  for (std::size_t c = 0; c < session.cases.size() && !session.metrics.empty(); ++c) {
    for (std::size_t arm = 0; arm < session.arms.size(); ++arm) {
      const Metric& metric = session.metrics[0];
      const Spread s = spread(round_medians(session, c, 0, arm));
      const std::string interval = s.rounds == 0 ? "-"
                                                 : "[" + format_value(s.lo, metric) + ", " +
                                                       format_value(s.hi, metric) + "]";
      table.rows.push_back(
          {NameCell(session.cases[c].name),
           R"(\raggedright\ttfamily\scriptsize )" + BreakableLatex(session.arms[arm].label),
           LatexText(format_value(s.median, metric)), LatexText(interval),
           LatexText(s.confidence > 0 ? format_share(s.confidence) : "-"),
           std::to_string(s.rounds)});
    }
  }
  table.letters.replace(0, 1, "p{2cm}");
  return TableLatex(table);
}

std::string CalibrationLatex(const Calibration& calibration) {
  LatexTable table{
      "rrrr", {"case", "value", "SD between rounds", "A/A band (95\\,\\%)", "$n$"}, {}};
  for (const CalibratedColumn& column : calibration.columns) {
    const double band = UnchangedBand(calibration, column.case_name, column.metric.name);
    const std::string end = format_change(band, column.metric);
    table.rows.push_back({NameCell(case_and_metric(column.case_name, column.metric)),
                          LatexText(format_value(column.value, column.metric)),
                          LatexText(noise_text(column.round_sd, column.metric)),
                          std::isfinite(band) ? "$\\pm$" + LatexText(end.substr(1)) : "-",
                          std::to_string(column.d.size())});
  }
  return TableLatex(table);
}

std::string StagesLatex(const SuiteVerdict& verdict) {
  constexpr std::size_t kMostCases = 4;
  std::string text;
  std::size_t shown = 0;
  for (const StageShares& shares : StageSharesOf(verdict)) {
    if (++shown > kMostCases) break;
    LatexTable table{"rr", {NameCell(shares.case_name), "baseline", "candidate"}, {}};
    for (const StageShare& stage : shares.stages) {
      table.rows.push_back({BreakableLatex(stage.stage), LatexText(format_share(stage.baseline)),
                            LatexText(format_share(stage.candidate))});
    }
    text += TableLatex(table);
  }
  return text;
}

}  // namespace perfgate::report
