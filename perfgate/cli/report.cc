// SPDX-License-Identifier: Apache-2.0
// perfgate report: verdict, parity, comparison, session, calibration and plan files as tables,
// several side by side, and verdicts in the forms of other programs.
#include <memory>

#include "perfgate/base/text/join.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/terminal.h"
#include "perfgate/cli/reporting/report_forms.h"

namespace perfgate::cli {
namespace {

struct ReportOptions {
  ReportRequest request;
  FormRequest form;
  std::string output = "-";
  DisplayOptions display{};
};

Exit Report(const ReportOptions& options) {
  if (!options.form.title.empty() && options.form.format != "html") {
    throw Error(Exit::kUsage, "--title is for --format html");
  }
  if (!options.form.sources.empty() && !ShowsSources(options.form.format)) {
    throw Error(Exit::kUsage, "--sources is for --format github, gitlab and sarif");
  }
  check_writable(options.output);
  FormRequest form = options.form;
  form.console = ConsoleOptionsOf(options.display, options.output != "-");
  write_output(options.output, ReportText(ReadReportedFiles(options.request), form));
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
  app.add_option("--format", options->form.format, Join(ReportFormats()) + " [console]")
      ->check(CLI::IsMember(ReportFormats()));
  app.add_option("--output", options->output, "Write to this file; - for standard output [-]");
  app.add_option("--title", options->form.title,
                 "html: title of the page [the names of the suites]")
      ->check(not_empty());
  app.add_option("--sources", options->form.sources,
                 "Folder of the benchmarks' sources: github, gitlab and sarif show a result at the "
                 "line that registers its benchmark")
      ->check(not_empty());
  app.add_flag("--decide", request.decide,
               "Judge session files of two arms, or of baseline, human and agents, anew, under the "
               "policy they were recorded with");
  add_metrics_option(app, request.metrics);
  AddKeyOption(app, request.key, "File of a key: show only files that it signed, else exit 14");
  AddVerdictAsked(app, request.asked);
  AddColorOption(app, options->display);
  AddDetailOptions(app, options->display);
  app.footer(
      "Exits 0 whatever the verdicts say: the gate has already said it. A verdict whose exit or\n"
      "summary does not follow from its own columns is refused (14). A session beside its verdict\n"
      "lends it its rounds.");
  return [options] { return Report(*options); };
}

}  // namespace perfgate::cli
