// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/page/suite_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/report/figures/suite_figures.h"
#include "perfgate/report/page/page_parts.h"
#include "perfgate/report/page/verdict_table.h"
#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/session_summary.h"
#include "perfgate/report/suites/claim_sentence.h"
#include "perfgate/report/suites/gate_command.h"
#include "perfgate/report/suites/geometric_mean.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/markup.h"

namespace perfgate::report {
namespace {

// So many cases have their rounds drawn, and so many sentences are written.
constexpr std::size_t kMostDrawn = 8;
constexpr std::size_t kMostSentences = 50;
constexpr std::size_t kMostStages = 4;

// Cases worth a look; where all passed, the first two.
std::vector<const ColumnVerdict*> DrawnColumns(const SuiteVerdict& verdict) {
  std::vector<const ColumnVerdict*> drawn;
  for (const ColumnVerdict& column : verdict.columns) {
    const bool look = column.gated && column.verdict != Verdict::kNoRegression && column.rounds > 0;
    if (look && drawn.size() < kMostDrawn) drawn.push_back(&column);
  }
  constexpr std::size_t kExamples = 2;
  const bool none = drawn.empty();
  for (std::size_t i = 0; none && i < std::min(kExamples, verdict.columns.size()); ++i) {
    drawn.push_back(&verdict.columns[i]);
  }
  return drawn;
}

std::string RoundsHtml(const ReportedSuite& suite) {
  std::string text;
  for (const ColumnVerdict* column : DrawnColumns(*suite.verdict)) {
    const std::vector<Figure> figures = RoundFigures(suite, *column);
    if (figures.empty()) continue;
    text += "<h4>" + IsolatedText(case_and_metric(column->case_name, column->metric)) + "</h4>\n" +
            FiguresHtml(figures);
  }
  return text.empty() ? "" : "<h3>Rounds over time</h3>\n" + text;
}

std::string ShareBar(double share, const char* arm) {
  return fmt::format(R"(<div class="share {}" style="width:{:.1f}%"></div>)", arm, share * 100);
}

std::string StagesHtml(const SuiteVerdict& verdict) {
  std::string text;
  std::size_t shown = 0;
  for (const StageShares& shares : StageSharesOf(verdict)) {
    if (++shown > kMostStages) break;
    text += "<h4>" + IsolatedText(shares.case_name) +
            "</h4>\n<table><thead><tr><th>stage</th><th class=\"r\">baseline</th>"
            "<th class=\"r\">candidate</th><th style=\"width:45%\">share of the stages, baseline "
            "above</th></tr></thead><tbody>\n";
    for (const StageShare& stage : shares.stages) {
      text += "<tr><td>" + MarkupText(stage.stage) + "</td><td class=\"r\">" +
              format_share(stage.baseline) + "</td><td class=\"r\">" +
              format_share(stage.candidate) + "</td><td>" + ShareBar(stage.baseline, "baseline") +
              ShareBar(stage.candidate, "candidate") + "</td></tr>\n";
    }
    text += "</tbody></table>\n";
  }
  if (shown > kMostStages)
    text += ElementOf("p", "More cases have stages; the table has them.", "soft");
  return text.empty() ? "" : "<h3>Shares of stages</h3>\n" + text;
}

std::string ClaimsHtml(const ReportedSuite& suite) {
  const SuiteVerdict& verdict = *suite.verdict;
  if (verdict.columns.empty()) return "";
  std::string text = "<h3>Claims</h3>\n";
  for (const GeometricMean& mean : GeometricMeansOf(suite)) {
    std::string sentence = GeometricMeanText(mean) + ". " + GeometricMeanMethod(mean);
    sentence[0] = 'G';
    text += ElementOf("p", sentence);
  }
  text += "<ol class=\"claims\">\n";
  std::size_t shown = 0;
  for (const ColumnVerdict& column : verdict.columns) {
    if (!column.gated || ++shown > kMostSentences) continue;
    text += "<li>" + IsolatedText(ClaimSentence(column)) + "</li>\n";
  }
  text += "</ol>\n";
  if (shown > kMostSentences) {
    text += ElementOf("p",
                      counted(shown - kMostSentences, "more sentence") +
                          ": perfgate report --format csv or json has all of them.",
                      "soft");
  }
  const std::string command = GateCommandOf(verdict);
  if (!command.empty()) text += "<p>Measured and judged by</p>\n" + ElementOf("pre", command);
  return text;
}

std::string VerdictHtml(const ReportedSuite& suite, std::size_t number) {
  const SuiteVerdict& verdict = *suite.verdict;
  std::string text = VerdictTableHtml(verdict, number);
  const std::vector<Figure> layouts = LayoutFigures(suite);
  if (!layouts.empty()) text += "<h3>Layouts</h3>\n" + FiguresHtml(layouts);
  const std::vector<Figure> roofline = RooflineFigures(suite);
  if (!roofline.empty()) text += "<h3>Declared work</h3>\n" + FiguresHtml(roofline);
  text += StagesHtml(verdict) + RoundsHtml(suite) + ClaimsHtml(suite);
  return text + "<h3>Machine, policy and warnings</h3>\n" + FactsHtml(verdict_facts(verdict));
}

std::string SessionHtml(const ReportedSuite& suite) {
  const Session& session = *suite.session;
  PlainTable table{{"case", "arm", "median", "interval", "confidence", "n"},
                   {CellKind::kName, CellKind::kText, CellKind::kNumber, CellKind::kNumber,
                    CellKind::kNumber, CellKind::kNumber},
                   {}};
  for (std::size_t c = 0; c < session.cases.size() && !session.metrics.empty(); ++c) {
    for (std::size_t arm = 0; arm < session.arms.size(); ++arm) {
      const Spread s = spread(round_medians(session, c, 0, arm));
      const Metric& metric = session.metrics[0];
      const std::string interval = s.rounds == 0 ? "-"
                                                 : "[" + format_value(s.lo, metric) + ", " +
                                                       format_value(s.hi, metric) + "]";
      table.rows.push_back(
          {session.cases[c].name, session.arms[arm].label, format_value(s.median, metric), interval,
           s.confidence > 0 ? format_share(s.confidence) : "-", std::to_string(s.rounds)});
    }
  }
  std::string text = PlainTableHtml(table);
  const std::vector<Figure> roofline = RooflineFigures(suite);
  if (!roofline.empty()) text += "<h3>Declared work</h3>\n" + FiguresHtml(roofline);
  text += "<h3>Rounds over time</h3>\n";
  for (std::size_t c = 0; c < std::min(kMostDrawn, session.cases.size()); ++c) {
    const std::vector<Figure> figures = SessionFigures(session, c);
    if (!figures.empty()) {
      text += "<h4>" + IsolatedText(session.cases[c].name) + "</h4>\n" + FiguresHtml(figures);
    }
  }
  std::vector<Fact> facts = arm_facts(session.arms);
  facts.push_back(machine_fact(session.machine));
  return text + "<h3>Machine</h3>\n" + FactsHtml(facts);
}

std::string CalibrationHtml(const Calibration& calibration) {
  PlainTable table{
      {"case", "value", "SD between rounds", "A/A band, 95 % of rounds", "n"},
      {CellKind::kName, CellKind::kNumber, CellKind::kNumber, CellKind::kNumber, CellKind::kNumber},
      {}};
  for (const CalibratedColumn& column : calibration.columns) {
    const double band = UnchangedBand(calibration, column.case_name, column.metric.name);
    const std::string end = format_change(band, column.metric);
    table.rows.push_back(
        {case_and_metric(column.case_name, column.metric),
         format_value(column.value, column.metric), noise_text(column.round_sd, column.metric),
         std::isfinite(band) ? "\xC2\xB1" + end.substr(1) : "-", std::to_string(column.d.size())});
  }
  return "<h3>Unchanged code on this machine</h3>\n" + PlainTableHtml(table);
}

}  // namespace

std::string SuiteConclusion(const ReportedSuite& suite) {
  if (suite.verdict) {
    std::string text = suite.verdict->summary;
    while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
    text += text.empty() ? "" : ". ";
    text += "Exit " + std::to_string(static_cast<int>(suite.verdict->exit)) + ", " +
            std::string(exit_meaning(suite.verdict->exit)) + ".";
    if (suite.verdict->identical)
      text += " Both arms are the same executable; nothing was measured.";
    if (suite.verdict->columns.empty()) text += " No case was compared.";
    return text;
  }
  if (suite.session) {
    return "A session of " + counted(suite.session->rounds.size(), "round") + ", not judged.";
  }
  return "A calibration: the noise of unchanged code.";
}

std::string_view SuiteTone(const ReportedSuite& suite) {
  return suite.verdict ? ToneOf(suite.verdict->exit) : "none";
}

std::string SuiteSectionHtml(const ReportedSuite& suite, std::size_t number) {
  std::string text =
      fmt::format("<section id=\"s{}\">\n<h2>{}</h2>\n<p class=\"conclusion {}\">{}</p>\n", number,
                  IsolatedText(suite.title), SuiteTone(suite), MarkupText(SuiteConclusion(suite)));
  if (suite.verdict) {
    text += VerdictHtml(suite, number);
  } else if (suite.session) {
    text += SessionHtml(suite);
  }
  if (suite.calibration) text += CalibrationHtml(*suite.calibration);
  return text + "</section>\n";
}

}  // namespace perfgate::report
