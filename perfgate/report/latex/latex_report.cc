// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/latex/latex_report.h"

#include <algorithm>

#include "perfgate/report/figures/suite_figures.h"
#include "perfgate/report/latex/interval_figure.h"
#include "perfgate/report/latex/latex_tables.h"
#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/suites/claim_sentence.h"
#include "perfgate/report/suites/gate_command.h"
#include "perfgate/report/suites/geometric_mean.h"
#include "perfgate/report/text/latex.h"

namespace perfgate::report {
namespace {

// So many cases have their rounds drawn.
constexpr std::size_t kMostPlotted = 4;

std::string Paragraph(const std::string& text) { return BreakableLatex(text) + "\n\n"; }

std::string FigureLatex(const std::string& title, const Figure& figure) {
  std::string text = "\\begin{minipage}[t]{8.2cm}\\raggedright\n" + ChartTikz(figure.chart);
  std::string caption = title.empty() ? "" : "\\texttt{" + BreakableLatex(title) + "}. ";
  caption += LatexText(figure.caption);
  for (std::size_t i = 0; i < figure.names.size(); ++i) {
    caption += " " + std::to_string(i + 1) + ": \\texttt{" + BreakableLatex(figure.names[i]) + "}.";
  }
  return text + R"(\par{\footnotesize\raggedright )" + caption +
         "\\par\\medskip}\n\\end{minipage} \\hfill\n";
}

std::string FiguresLatex(const ReportedSuite& suite) {
  std::string text;
  for (const Figure& figure : LayoutFigures(suite)) text += FigureLatex("", figure);
  for (const Figure& figure : RooflineFigures(suite)) text += FigureLatex("", figure);
  std::size_t drawn = 0;
  for (const ColumnVerdict& column : suite.verdict->columns) {
    const bool look = column.gated && column.verdict != Verdict::kNoRegression && column.rounds > 0;
    if (!look || ++drawn > kMostPlotted) continue;
    for (const Figure& figure : RoundFigures(suite, column)) {
      text += FigureLatex(case_and_metric(column.case_name, column.metric), figure);
    }
  }
  return text.empty() ? "" : "\\noindent " + text + "\\par\\medskip\n\n";
}

std::string SentencesLatex(const ReportedSuite& suite) {
  std::string text;
  for (const GeometricMean& mean : GeometricMeansOf(suite)) {
    std::string sentence = GeometricMeanText(mean) + ". " + GeometricMeanMethod(mean);
    sentence[0] = 'G';
    text += Paragraph(sentence);
  }
  for (const ColumnVerdict& column : suite.verdict->columns) {
    const bool claimed = column.claim == Claim::kStrong || column.claim == Claim::kDirectional;
    if (column.gated && claimed) text += Paragraph(ClaimSentence(column));
  }
  const std::string command = GateCommandOf(*suite.verdict);
  if (!command.empty()) {
    text += "{\\raggedright Measured and judged by \\texttt{" + BreakableLatex(command) +
            "}.\\par}\n\n";
  }
  return text;
}

std::string SuiteLatex(const ReportedSuite& suite) {
  std::string text = "% suite\n\\paragraph{" + BreakableLatex(suite.title) + "}\n";
  if (!suite.verdict) {
    return text + (suite.session ? SessionLatex(*suite.session) : std::string()) +
           (suite.calibration ? CalibrationLatex(*suite.calibration) : std::string());
  }
  const SuiteVerdict& verdict = *suite.verdict;
  text += Paragraph(verdict.summary + ". Exit " + std::to_string(static_cast<int>(verdict.exit)) +
                    ", " + std::string(exit_meaning(verdict.exit)) + ".");
  text +=
      VerdictLatex(verdict) + StagesLatex(verdict) + IntervalFigure(verdict) + FiguresLatex(suite);
  if (suite.calibration) text += CalibrationLatex(*suite.calibration);
  return text + SentencesLatex(suite);
}

}  // namespace

std::string LatexReport(std::span<const ReportedSuite> suites) {
  std::string text =
      "% Made by perfgate. In the preamble: \\usepackage{tikz}. Then \\input this file.\n"
      "\\begingroup\\providecommand{\\allowbreak}{\\penalty0 }\\sloppy\n" +
      TikzColors();
  for (const ReportedSuite& suite : suites) text += SuiteLatex(suite);
  return text + "\\endgroup\n";
}

std::string LatexDocument(const std::string& fragment_file) {
  return "\\documentclass{article}\n\\usepackage[margin=2cm]{geometry}\n\\usepackage{tikz}\n"
         "\\begin{document}\n\\footnotesize\n\\input{" +
         fragment_file + "}\n\\end{document}\n";
}

}  // namespace perfgate::report
