// SPDX-License-Identifier: Apache-2.0
// perfgate report: verdict, parity, comparison, session, calibration and plan files as tables,
// several side by side.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "perfgate/base/io/input_file.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/signature.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/report/alternatives/alternatives_report.h"
#include "perfgate/report/calibration_report.h"
#include "perfgate/report/console/console_report.h"
#include "perfgate/report/markdown_report.h"
#include "perfgate/report/parity/parity_agents_report.h"
#include "perfgate/report/plan_report.h"
#include "perfgate/report/session_report.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/parity/parity_agents.h"
#include "perfgate/verdict/planning/noise_analysis.h"
#include "perfgate/verdict/verdict_file.h"

namespace perfgate::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string format = "console";
  std::string output = "-";
  DisplayOptions display{};
  bool decide = false;
  std::string metrics;
  std::string key{};
  VerdictAsked asked{};
};

struct Loaded {
  std::vector<SuiteVerdict> verdicts;
  std::vector<ParityAgents> parities;
  std::vector<AlternativesVerdict> comparisons;
  std::vector<Session> sessions;
  std::vector<Calibration> calibrations;
  std::vector<SuitePlan> plans;
};

void decide_anew(const Session& session, Loaded& loaded) {
  if (session.arms.size() >= kParityArms.size()) {
    loaded.parities.push_back(DecideParityAgents(session));
  } else {
    loaded.verdicts.push_back(decide(session));
  }
}

// A result file of another tool, which a file of perfgate's own is told from by its `format`.
bool is_foreign(const std::string& file) {
  constexpr std::size_t kHead = 200;
  if (!gate::NamesResults(file)) return false;
  if (ReadInputHead(file, kHead).find("\"perfgate-") != std::string::npos) return false;
  if (!std::filesystem::is_regular_file(file)) return true;
  // Our own writer puts `format` first; whoever wrote the file again may have sorted its fields.
  const auto document = nlohmann::json::parse(ReadInputFile(file, kResultFile), nullptr, false);
  return !document.is_object() || !document.value("format", nlohmann::json()).is_string() ||
         !document["format"].get<std::string>().starts_with("perfgate-");
}

// Only a verdict says which change it is about.
void RequireNothingAsked(const VerdictAsked& asked, const std::string& file) {
  if (asked.change.empty() && asked.repository.empty() && asked.suite.empty()) return;
  throw Error(Exit::kUsage, file +
                                " is no verdict, and --change, --repository and --suite ask for "
                                "the verdict on something: leave them out for this file");
}

Loaded load(const ReportOptions& options) {
  Loaded loaded;
  const std::optional<SecretKey> key = KeyOf(options.key);
  const SecretKey* signer = key ? &*key : nullptr;
  const MetricRegistry registry = read_metrics(options.metrics);
  bool any_foreign = false;
  for (const std::string& file : options.files) {
    if (is_foreign(file)) {
      RequireNothingAsked(options.asked, file);
      if (signer != nullptr) RequireSignature(ReadInputFile(file, kResultFile), file, signer);
      loaded.sessions.push_back(gate::ReadResults(file, "results", "", {}, registry));
      any_foreign = true;
      continue;
    }
    const std::string format = file_format(file);
    if (format == "verdict") {
      loaded.verdicts.push_back(ReadVerdict(file, signer, options.asked));
      continue;
    }
    if (signer != nullptr) RequireSignature(ReadInputFile(file, kAnyEvidence), file, signer);
    RequireNothingAsked(options.asked, file);
    if (format == "parity") {
      loaded.parities.push_back(ReadParityFile(file));
    } else if (format == "comparison") {
      loaded.comparisons.push_back(read_alternatives(file));
    } else if (format == "session" && options.decide) {
      decide_anew(read_session(file, signer), loaded);
    } else if (format == "session") {
      loaded.sessions.push_back(read_session(file, signer));
    } else if (format == "calibration") {
      loaded.calibrations.push_back(read_calibration(file));
    } else if (format == "plan") {
      loaded.plans.push_back(read_plan(file));
    } else {
      throw Error(Exit::kData,
                  std::string(file).append(" is a ").append(format).append(
                      " file; report reads verdicts, parity verdicts, comparisons, sessions, "
                      "calibrations and plans"));
    }
  }
  if (!any_foreign && !options.metrics.empty()) {
    throw Error(Exit::kUsage,
                "--metrics says what names in files of other tools mean, and none is read here");
  }
  return loaded;
}

std::string markdown_text(const Loaded& loaded) {
  std::string text;
  if (!loaded.verdicts.empty()) text += report::markdown_report(loaded.verdicts);
  for (const ParityAgents& parity : loaded.parities) {
    text += report::AgentsMarkdownReport(parity);
  }
  for (const AlternativesVerdict& comparison : loaded.comparisons) {
    text += report::alternatives_markdown_report(comparison);
  }
  if (!loaded.sessions.empty()) text += report::session_markdown_report(loaded.sessions);
  for (const Calibration& calibration : loaded.calibrations) {
    text += report::calibration_markdown_report(calibration, analyse_noise(calibration));
  }
  for (const SuitePlan& plan : loaded.plans) text += report::plan_markdown_report(plan);
  return text;
}

std::string console_text(const Loaded& loaded, const report::ConsoleOptions& options) {
  std::string text;
  for (const SuiteVerdict& verdict : loaded.verdicts) {
    text += report::console_report(verdict, options);
  }
  for (const ParityAgents& parity : loaded.parities) {
    text += report::AgentsConsoleReport(parity, options);
  }
  for (const AlternativesVerdict& comparison : loaded.comparisons) {
    text += report::alternatives_console_report(comparison, options);
  }
  for (const Session& session : loaded.sessions) {
    text += report::session_console_report(session, options);
  }
  for (const Calibration& calibration : loaded.calibrations) {
    text += report::calibration_console_report(calibration, analyse_noise(calibration), options);
  }
  for (const SuitePlan& plan : loaded.plans) text += report::plan_console_report(plan, options);
  return text;
}

Exit report(const ReportOptions& options) {
  check_writable(options.output);
  const Loaded loaded = load(options);
  write_output(options.output, options.format == "md"
                                   ? markdown_text(loaded)
                                   : console_text(loaded, ConsoleOptionsOf(options.display,
                                                                           options.output != "-")));
  return Exit::kPass;
}

}  // namespace

Command add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  app.add_option(
         "FILE", options->files,
         "Verdict, parity, comparison, session, calibration and plan files, and results of other "
         "tools")
      ->required();
  app.add_option("--format", options->format, "console or md")
      ->check(CLI::IsMember({"console", "md"}));
  app.add_option("--output", options->output, "Write to this file; - for standard output [-]");
  app.add_flag("--decide", options->decide,
               "Judge session files of two arms, or of baseline, human and agents, anew, under the "
               "policy they were recorded with");
  add_metrics_option(app, options->metrics);
  AddKeyOption(app, options->key, "File of a key: show only files that it signed, else exit 14");
  app.add_option("--change", options->asked.change,
                 "Refuse verdicts on another pull request or branch (14)")
      ->check(not_empty());
  app.add_option("--repository", options->asked.repository,
                 "Refuse verdicts on a change of another repository (14)")
      ->check(not_empty());
  app.add_option("--suite", options->asked.suite, "Refuse verdicts on another suite (14)")
      ->check(not_empty());
  AddColorOption(app, options->display);
  AddDetailOptions(app, options->display);
  app.footer(
      "Exits 0 whatever the verdicts say: the gate has already said it. A verdict whose exit or\n"
      "summary does not follow from its own columns is refused (14).");
  return [options] { return report(*options); };
}

}  // namespace perfgate::cli
