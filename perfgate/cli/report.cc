// SPDX-License-Identifier: Apache-2.0
// perfgate report: verdict and session files as tables, several side by side.
#include <memory>

#include "perfgate/cli/commands.h"
#include "perfgate/cli/outputs.h"
#include "perfgate/evidence/files.h"
#include "perfgate/report/console_report.h"
#include "perfgate/report/markdown_report.h"
#include "perfgate/report/session_report.h"
#include "perfgate/verdict/suite_verdict.h"

namespace perfgate::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string format = "console";
  std::string output = "-";
  bool color = false;
  bool decide = false;
};

struct Loaded {
  std::vector<SuiteVerdict> verdicts;
  std::vector<Session> sessions;
};

Loaded load(const ReportOptions& options) {
  Loaded loaded;
  for (const std::string& file : options.files) {
    const std::string format = file_format(file);
    if (format == "verdict") {
      loaded.verdicts.push_back(read_verdict(file));
    } else if (format == "session" && options.decide) {
      loaded.verdicts.push_back(decide(read_session(file)));
    } else if (format == "session") {
      loaded.sessions.push_back(read_session(file));
    } else {
      throw Error(Exit::kData, std::string(file).append(" is a ").append(format).append(
                                   " file; report reads verdicts and sessions"));
    }
  }
  return loaded;
}

Exit report(const ReportOptions& options) {
  check_writable(options.output);
  const Loaded loaded = load(options);
  std::string text;
  if (options.format == "md") {
    if (!loaded.verdicts.empty()) text += report::markdown_report(loaded.verdicts);
    if (!loaded.sessions.empty()) text += report::session_markdown_report(loaded.sessions);
  } else {
    for (const SuiteVerdict& verdict : loaded.verdicts) {
      text += report::console_report(verdict, {.color = options.color});
    }
    for (const Session& session : loaded.sessions) {
      text += report::session_console_report(session, {.color = options.color});
    }
  }
  write_output(options.output, text);
  return Exit::kPass;
}

}  // namespace

Command add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  app.add_option("FILE", options->files, "Verdict and session files")->required();
  app.add_option("--format", options->format, "console or md")
      ->check(CLI::IsMember({"console", "md"}));
  app.add_option("--output", options->output, "Write to this file; - for standard output [-]");
  app.add_flag("--decide", options->decide,
               "Judge two-armed session files anew, under the policy they were recorded with");
  app.add_flag("--color,!--no-color", options->color, "Colour the tables");
  app.footer("Exits 0 whatever the verdicts say: the gate has already said it.");
  return [options] { return report(*options); };
}

}  // namespace perfgate::cli
