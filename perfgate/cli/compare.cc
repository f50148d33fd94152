// SPDX-License-Identifier: Apache-2.0
// perfgate compare: which of several alternatives is the fastest, and by how much?
#include <filesystem>
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/command_options.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/experiments/alternatives.h"
#include "perfgate/report/alternatives/alternatives_report.h"

namespace perfgate::cli {
namespace {

struct CompareOptions {
  MeasureOptions measure;
  std::vector<std::string> arms;    // "PATH" or "NAME=PATH"
  std::vector<std::string> labels;  // of all of them, in their order
  std::string family = std::string(to_string(Family::kSuite));
  gate::AlternativesRequest request;
};

// "NAME=PATH", unless there is a file of that whole name.
gate::Alternative AlternativeOf(const std::string& text) {
  const std::size_t equals = text.find('=');
  std::error_code ignored;
  if (equals == std::string::npos || std::filesystem::exists(text, ignored)) return {"", text};
  if (equals == 0 || equals + 1 == text.size()) {
    throw Error(Exit::kUsage, "'" + text + "' is no alternative; write PATH or NAME=PATH");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void EnterLabels(const std::vector<std::string>& labels, gate::AlternativesRequest& request) {
  if (labels.empty()) return;
  if (!request.by.empty()) {
    throw Error(Exit::kUsage, "--label names executables; with --by the values are the names");
  }
  if (labels.size() != request.alternatives.size()) {
    throw Error(Exit::kUsage, "--label names " + std::to_string(labels.size()) + " of " +
                                  std::to_string(request.alternatives.size()) +
                                  " alternatives; name each, with commas between");
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::string& label = request.alternatives[i].label;
    if (!label.empty() && label != labels[i]) {
      throw Error(Exit::kUsage, "an alternative is called '" + label + "' and, by --label, '" +
                                    labels[i] + "'; say it once");
    }
    label = labels[i];
  }
}

Exit RunCompare(const CompareOptions& options) {
  const MeasureOptions& outputs = options.measure;
  gate::AlternativesRequest request = options.request;
  request.measure = MeasureRequestOf(options.measure);
  request.family = parse_enum<Family>(options.family);
  if (request.command.is_asked) RequireWords(options.arms);
  for (const std::string& arm : options.arms) {
    // An equals sign in a command line is its own.
    request.alternatives.push_back(request.command.is_asked ? gate::Alternative{"", arm}
                                                            : AlternativeOf(arm));
  }
  EnterLabels(options.labels, request);
  check_outputs({outputs.json, outputs.session, outputs.markdown});
  const InterruptScope interrupts;
  gate::AlternativesResult result;
  {
    ProgressDisplay display;
    result = gate::RunAlternatives(request, display);
  }
  write_output(outputs.json, alternatives_to_json(result.verdict));
  write_output(outputs.markdown, report::alternatives_markdown_report(result.verdict));
  if (outputs.json != "-" && outputs.markdown != "-") {
    print(report::alternatives_console_report(result.verdict, ConsoleOptionsOf(outputs.display)));
  }
  throw_if_interrupted();
  return result.verdict.exit;
}

}  // namespace

Command add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  gate::AlternativesRequest& request = options->request;
  app.add_option("ALTERNATIVE", options->arms,
                 "Google Benchmark executables: PATH or NAME=PATH, 2 to 8; one with --by; with "
                 "--command each a command line")
      ->required();
  app.add_option("--label", options->labels, "Names of the alternatives, with commas between")
      ->delimiter(',')
      ->allow_extra_args(false)  // what follows is an alternative
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check(not_empty());
  app.add_option("--by", request.by,
                 "Compare cases of one executable: the values of this key in their names, impl of "
                 "sort/impl:std/count:64, or BM_Sort of BM_Sort<std>/64")
      ->check(not_empty());
  app.add_option("--reference", request.reference,
                 "Compare the others with this alternative alone, not all pairs: narrower "
                 "intervals")
      ->check(not_empty());
  app.add_option("--series", request.series,
                 "Order the cases by this number in their names, count of .../count:64, and show "
                 "times over it; / is the last part that is a number")
      ->check(not_empty());
  app.add_option("--family", options->family,
                 "Intervals that hold together with 95 %: of the suite, or of one case [suite]")
      ->check(CLI::IsMember({"suite", "case"}));
  app.add_option("--metric", request.metric, "Time or rate that is compared [real_time]")
      ->check(not_empty());
  AddCommandOptions(app, request.command);
  app.add_flag("--aa", request.aa, "Measure identical alternatives too");
  app.add_option("--json", options->measure.json,
                 "Write the comparison to this file; - for standard output")
      ->check(not_empty());
  app.add_option("--markdown", options->measure.markdown, "Write a Markdown report to this file")
      ->check(not_empty());
  add_measuring_options(app, options->measure);
  app.footer(
      "Exits 0 when all were compared, whoever is the fastest; 11 when an alternative failed,\n"
      "12 when the rounds were too few, 13 when an alternative lacks a case or cannot be\n"
      "compared, 14 when two are identical. What fails is named and the rest is compared.");
  return [options] { return RunCompare(*options); };
}

}  // namespace perfgate::cli
