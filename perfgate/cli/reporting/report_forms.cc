// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/reporting/report_forms.h"

#include <algorithm>
#include <map>
#include <utility>

#include "perfgate/report/alternatives/alternatives_report.h"
#include "perfgate/report/calibration_report.h"
#include "perfgate/report/console/console_report.h"
#include "perfgate/report/exchange/csv_report.h"
#include "perfgate/report/exchange/host_notes.h"
#include "perfgate/report/exchange/json_report.h"
#include "perfgate/report/exchange/junit_report.h"
#include "perfgate/report/exchange/sarif_report.h"
#include "perfgate/report/latex/latex_report.h"
#include "perfgate/report/markdown_report.h"
#include "perfgate/report/page/html_report.h"
#include "perfgate/report/parity/parity_agents_report.h"
#include "perfgate/report/plan_report.h"
#include "perfgate/report/session_report.h"
#include "perfgate/verdict/planning/noise_analysis.h"

namespace perfgate::cli {
namespace {

template <class T>
std::vector<T> ValuesOf(const std::vector<report::FromFile<T>>& files) {
  std::vector<T> values;
  values.reserve(files.size());
  for (const report::FromFile<T>& file : files) values.push_back(file.value);
  return values;
}

// A session beside its verdict only lends its rounds: tables show the verdict.
std::vector<Session> SessionsShown(const report::ReportFiles& files) {
  std::vector<Session> shown;
  for (const auto& session : files.sessions) {
    const bool judged = std::ranges::any_of(files.verdicts, [&](const auto& verdict) {
      return verdict.value.session_id == session.value.id;
    });
    if (!judged) shown.push_back(session.value);
  }
  return shown;
}

std::string MarkdownOf(const ReportedFiles& files) {
  std::string text;
  const std::vector<SuiteVerdict> verdicts = ValuesOf(files.suites.verdicts);
  if (!verdicts.empty()) text += report::markdown_report(verdicts);
  for (const ParityAgents& parity : files.parities) text += report::AgentsMarkdownReport(parity);
  for (const AlternativesVerdict& comparison : files.comparisons) {
    text += report::alternatives_markdown_report(comparison);
  }
  const std::vector<Session> sessions = SessionsShown(files.suites);
  if (!sessions.empty()) text += report::session_markdown_report(sessions);
  for (const auto& [file, calibration] : files.suites.calibrations) {
    text += report::calibration_markdown_report(calibration, analyse_noise(calibration));
  }
  for (const SuitePlan& plan : files.plans) text += report::plan_markdown_report(plan);
  return text;
}

std::string ConsoleOf(const ReportedFiles& files, const report::ConsoleOptions& options) {
  std::string text;
  for (const auto& [file, verdict] : files.suites.verdicts) {
    text += report::console_report(verdict, options);
  }
  for (const ParityAgents& parity : files.parities) {
    text += report::AgentsConsoleReport(parity, options);
  }
  for (const AlternativesVerdict& comparison : files.comparisons) {
    text += report::alternatives_console_report(comparison, options);
  }
  for (const Session& session : SessionsShown(files.suites)) {
    text += report::session_console_report(session, options);
  }
  for (const auto& [file, calibration] : files.suites.calibrations) {
    text += report::calibration_console_report(calibration, analyse_noise(calibration), options);
  }
  for (const SuitePlan& plan : files.plans) text += report::plan_console_report(plan, options);
  return text;
}

struct Reported {
  std::vector<report::ReportedSuite> suites;
  report::SourceLines sources;
  std::string title;
};
using ReportForm = std::string (*)(const Reported&);

// Forms for programs and papers: of verdicts, with their sessions and calibrations.
const std::map<std::string, ReportForm>& ReportForms() {
  static const std::map<std::string, ReportForm> kForms = {
      {"csv", [](const Reported& all) { return report::CsvReport(all.suites); }},
      {"github", [](const Reported& all) { return report::GithubReport(all.suites, all.sources); }},
      {"gitlab", [](const Reported& all) { return report::GitlabReport(all.suites, all.sources); }},
      {"html", [](const Reported& all) { return report::HtmlReport(all.suites, all.title); }},
      {"json", [](const Reported& all) { return report::JsonReport(all.suites); }},
      {"junit", [](const Reported& all) { return report::JunitReport(all.suites); }},
      {"latex", [](const Reported& all) { return report::LatexReport(all.suites); }},
      {"sarif",
       [](const Reported& all) {
         return report::SarifReport(all.suites, all.sources, PERFGATE_VERSION);
       }},
  };
  return kForms;
}

void RequireSuites(const ReportedFiles& files, const std::string& format) {
  if (files.parities.empty() && files.comparisons.empty() && files.plans.empty()) return;
  throw Error(Exit::kUsage, "--format " + format +
                                " shows verdicts, sessions and calibrations; show parity, "
                                "comparison and plan files with --format console or md");
}

}  // namespace

bool ShowsSources(const std::string& format) {
  return format == "github" || format == "gitlab" || format == "sarif";
}

std::vector<std::string> ReportFormats() {
  std::vector<std::string> formats = {"console", "md"};
  for (const auto& [format, form] : ReportForms()) formats.push_back(format);
  return formats;
}

std::string ReportText(ReportedFiles files, const FormRequest& request) {
  if (request.format == "md") return MarkdownOf(files);
  if (request.format == "console") return ConsoleOf(files, request.console);
  RequireSuites(files, request.format);
  Reported all{
      .suites = report::SuitesOf(std::move(files.suites)), .sources = {}, .title = request.title};
  if (!request.sources.empty()) all.sources = report::FindSourceLines(request.sources);
  return ReportForms().at(request.format)(all);
}

}  // namespace perfgate::cli
