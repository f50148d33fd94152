// SPDX-License-Identifier: Apache-2.0
// perfgate report: verdict, parity, comparison, session, calibration and plan files as tables,
// several side by side, and verdicts in the forms of other programs.
#include <algorithm>
#include <map>
#include <memory>

#include "perfgate/base/text/join.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/reporting/report_files.h"
#include "perfgate/report/alternatives/alternatives_report.h"
#include "perfgate/report/calibration_report.h"
#include "perfgate/report/console_report.h"
#include "perfgate/report/exchange/csv_report.h"
#include "perfgate/report/exchange/host_notes.h"
#include "perfgate/report/exchange/json_report.h"
#include "perfgate/report/exchange/junit_report.h"
#include "perfgate/report/exchange/sarif_report.h"
#include "perfgate/report/markdown_report.h"
#include "perfgate/report/parity/parity_agents_report.h"
#include "perfgate/report/plan_report.h"
#include "perfgate/report/session_report.h"
#include "perfgate/verdict/planning/noise_analysis.h"

namespace perfgate::cli {
namespace {

struct ReportOptions {
  ReportRequest request;
  std::string format = "console";
  std::string output = "-";
  std::string sources;
  bool color = false;
};

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
};
using ReportForm = std::string (*)(const Reported&);

// Forms for programs and papers: of verdicts, with their sessions and calibrations.
const std::map<std::string, ReportForm>& ReportForms() {
  static const std::map<std::string, ReportForm> kForms = {
      {"csv", [](const Reported& all) { return report::CsvReport(all.suites); }},
      {"github", [](const Reported& all) { return report::GithubReport(all.suites, all.sources); }},
      {"gitlab", [](const Reported& all) { return report::GitlabReport(all.suites, all.sources); }},
      {"json", [](const Reported& all) { return report::JsonReport(all.suites); }},
      {"junit", [](const Reported& all) { return report::JunitReport(all.suites); }},
      {"sarif",
       [](const Reported& all) {
         return report::SarifReport(all.suites, all.sources, PERFGATE_VERSION);
       }},
  };
  return kForms;
}

// Those whose findings stand at lines of sources.
bool ShowsSources(const std::string& format) {
  return format == "github" || format == "gitlab" || format == "sarif";
}

std::vector<std::string> Formats() {
  std::vector<std::string> formats = {"console", "md"};
  for (const auto& [format, form] : ReportForms()) formats.push_back(format);
  return formats;
}

void RequireSuites(const ReportedFiles& files, const std::string& format) {
  if (files.parities.empty() && files.comparisons.empty() && files.plans.empty()) return;
  throw Error(Exit::kUsage, "--format " + format +
                                " shows verdicts, sessions and calibrations; show parity, "
                                "comparison and plan files with --format console or md");
}

std::string TextOf(ReportedFiles files, const ReportOptions& options) {
  if (options.format == "md") return MarkdownOf(files);
  if (options.format == "console") return ConsoleOf(files, {.color = options.color});
  RequireSuites(files, options.format);
  Reported all{.suites = report::SuitesOf(std::move(files.suites)), .sources = {}};
  if (!options.sources.empty()) all.sources = report::FindSourceLines(options.sources);
  return ReportForms().at(options.format)(all);
}

Exit Report(const ReportOptions& options) {
  if (!options.sources.empty() && !ShowsSources(options.format)) {
    throw Error(Exit::kUsage, "--sources is for --format github, gitlab and sarif");
  }
  check_writable(options.output);
  write_output(options.output, TextOf(ReadReportedFiles(options.request), options));
  return Exit::kPass;
}

void AddVerdictAsked(CLI::App& app, VerdictAsked& asked) {
  app.add_option("--change", asked.change, "Refuse verdicts on another pull request or branch (14)")
      ->check(not_empty());
  app.add_option("--repository", asked.repository,
                 "Refuse verdicts on a change of another repository (14)")
      ->check(not_empty());
  app.add_option("--suite", asked.suite, "Refuse verdicts on another suite (14)")
      ->check(not_empty());
}

}  // namespace

Command add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  ReportRequest& request = options->request;
  app.add_option(
         "FILE", request.files,
         "Verdict, parity, comparison, session, calibration and plan files, and results of other "
         "tools")
      ->required();
  app.add_option("--format", options->format, Join(Formats()) + " [console]")
      ->check(CLI::IsMember(Formats()));
  app.add_option("--output", options->output, "Write to this file; - for standard output [-]");
  app.add_option("--sources", options->sources,
                 "Folder of the benchmarks' sources: github, gitlab and sarif show a result at the "
                 "line that registers its benchmark")
      ->check(not_empty());
  app.add_flag("--decide", request.decide,
               "Judge session files of two arms, or of baseline, human and agents, anew, under the "
               "policy they were recorded with");
  add_metrics_option(app, request.metrics);
  AddKeyOption(app, request.key, "File of a key: show only files that it signed, else exit 14");
  AddVerdictAsked(app, request.asked);
  app.add_flag("--color,!--no-color", options->color, "Colour the tables");
  app.footer(
      "Exits 0 whatever the verdicts say: the gate has already said it. A verdict whose exit or\n"
      "summary does not follow from its own columns is refused (14). A session beside its verdict\n"
      "lends it its rounds.");
  return [options] { return Report(*options); };
}

}  // namespace perfgate::cli
