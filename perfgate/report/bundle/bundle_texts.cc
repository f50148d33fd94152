// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/bundle/bundle_texts.h"

#include <fmt/format.h>

#include "perfgate/base/json/json_writer.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/evidence/files/verdict_fields.h"
#include "perfgate/report/suites/claim_sentence.h"
#include "perfgate/report/suites/gate_command.h"
#include "perfgate/report/suites/geometric_mean.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {

struct SuiteEnvironment {
  std::string title;
  std::string session_id;
  std::string tool;
  std::string started;
  std::string command;
  Machine machine;
  std::vector<ArmInfo> arms;
  Policy policy;
  Schedule schedule;
};

struct BundleEnvironment {
  std::string tool;
  std::vector<SuiteEnvironment> suites;
};

template <class V, IsStruct<SuiteEnvironment> S>
void describe(V& v, S& s) {
  v("title", s.title, "name of the suite, or of its file");
  v("session_id", s.session_id, "the session that was measured");
  v("tool", s.tool, "program and version that measured");
  v("started", s.started, "ISO 8601, UTC");
  v("command", s.command, "command that measures and judges it again; empty: not known");
  v("machine", s.machine, "where it ran");
  v("arms", s.arms, "the executables");
  v("policy", s.policy, "the policy in force");
  v("schedule", s.schedule, "seed and looks");
}

template <class V, IsStruct<BundleEnvironment> B>
void describe(V& v, B& b) {
  v("tool", b.tool, "program and version that made the bundle");
  v("suites", b.suites, "one per suite");
}

namespace {

// Of verdicts and sessions, which share these fields.
template <class Evidence>
SuiteEnvironment EnvironmentOf(const std::string& title, const std::string& id,
                               const Evidence& evidence) {
  return {title,
          id,
          evidence.tool,
          evidence.started,
          "",
          evidence.machine,
          evidence.arms,
          evidence.policy,
          evidence.schedule};
}

std::string CompareLine(const std::string& made, const std::string& kept) {
  return "compare \"$work/" + made + "\" " + ShellWord(kept) + "\n";
}

std::string FileOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string EnvironmentJson(std::span<const ReportedSuite> suites, const std::string& tool) {
  constexpr int kVersion = 1;
  BundleEnvironment environment{tool, {}};
  for (const ReportedSuite& suite : suites) {
    if (suite.verdict) {
      environment.suites.push_back(
          EnvironmentOf(suite.title, suite.verdict->session_id, *suite.verdict));
      environment.suites.back().command = GateCommandOf(*suite.verdict);
    } else if (suite.session) {
      environment.suites.push_back(EnvironmentOf(suite.title, suite.session->id, *suite.session));
    }
  }
  return json_io::write_file_object(environment, "perfgate-environment", kVersion);
}

std::string ClaimsText(std::span<const ReportedSuite> suites) {
  std::string text;
  for (const ReportedSuite& suite : suites) {
    if (!suite.verdict) continue;
    text += escaped_controls(suite.title) + "\n\n";
    for (const GeometricMean& mean : GeometricMeansOf(suite)) {
      text += GeometricMeanText(mean) + ". " + GeometricMeanMethod(mean) + "\n";
    }
    for (const ColumnVerdict& column : suite.verdict->columns) {
      if (column.gated) text += escaped_controls(ClaimSentence(column)) + "\n";
    }
    const std::string command = GateCommandOf(*suite.verdict);
    if (!command.empty()) text += "\n    " + escaped_controls(command) + "\n";
    text += "\n";
  }
  return text;
}

std::string ReproduceScript(const BundledEvidence& evidence, std::span<const BundledTable> tables,
                            const std::vector<std::string>& judged_sessions) {
  std::string text =
      "#!/bin/sh\n"
      "# Makes every table of this folder again and compares it with the one that is here.\n"
      "# PERFGATE names the program; the version that made the folder is in README.txt.\n"
      "set -eu\n"
      "cd \"$(dirname \"$0\")\"\n"
      "perfgate=${PERFGATE:-perfgate}\n"
      "work=$(mktemp -d)\n"
      "trap 'rm -rf \"$work\"' EXIT\n"
      "differing=0\n"
      "compare() {\n"
      "  if cmp -s \"$1\" \"$2\"; then\n"
      "    echo \"same     $2\"\n"
      "  else\n"
      "    echo \"differs  $2\"\n"
      "    differing=1\n"
      "  fi\n"
      "}\n"
      "sha256sum --check --quiet SHA256SUMS\n"
      "echo 'same     all files that SHA256SUMS names'\n";
  for (const BundledTable& table : tables) {
    const std::string made = FileOf(table.file);
    const auto& files = table.format == "md" ? evidence.all : evidence.suites;
    text += "\"$perfgate\" report --format " + table.format;
    if (table.format == "html" && !evidence.title.empty()) {
      text += " --title " + ShellWord(evidence.title);
    }
    text += " --output \"$work/" + made + "\" " + ShellLine(files) + "\n" +
            CompareLine(made, table.file);
  }
  for (const std::string& session : judged_sessions) {
    const std::string made = "anew-" + FileOf(session) + ".csv";
    text += R"("$perfgate" report --decide --format csv --output "$work/)" + made + "\" " +
            ShellWord(session) + "\n" + CompareLine(made, "tables/" + made);
  }
  return text + "exit $differing\n";
}

std::string BundleReadme(std::span<const ReportedSuite> suites, const std::string& tool) {
  std::string text =
      "Evidence of performance, and the tables that follow from it. Made by " + tool +
      ".\n\n"
      "sessions/, verdicts/, ...   the evidence, byte for byte as it was given\n"
      "tables/                     tables as Markdown, CSV, JSON and LaTeX\n"
      "report.html                 the page: open it in any browser\n"
      "paper.tex                   compiles tables/report.tex (pdflatex, package tikz)\n"
      "claims.txt                  what may be said of each case\n"
      "environment.json            machines, executables, policies and seeds\n"
      "reproduce.sh                makes every table again and compares it\n"
      "SHA256SUMS                  digests of all other files\n";
  for (const ReportedSuite& suite : suites) {
    if (!suite.verdict) continue;
    const std::string command = GateCommandOf(*suite.verdict);
    if (command.empty()) continue;
    text += "\nTo measure " + escaped_controls(suite.title) + " again:\n    " +
            escaped_controls(command) + "\n";
  }
  return text;
}

}  // namespace perfgate::report
