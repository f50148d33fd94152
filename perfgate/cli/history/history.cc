// SPDX-License-Identifier: Apache-2.0
// perfgate history: the trend of every case over recorded sessions and verdicts, and where its
// level changed.
#include <memory>

#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/terminal.h"
#include "perfgate/gate/history/collect.h"
#include "perfgate/report/history/history_report.h"

namespace perfgate::cli {
namespace {

struct HistoryOptions {
  gate::HistoryRequest request;
  std::string alpha;
  std::string least;
  std::string seed;
  std::string key;
  std::string json;
  std::string markdown;
  DisplayOptions display{};
};

Exit RunHistory(const HistoryOptions& options) {
  gate::HistoryRequest request = options.request;
  if (!options.alpha.empty()) request.rule.alpha = parse_fraction(options.alpha, "--alpha");
  if (!options.least.empty()) request.rule.least_change = parse_fraction(options.least, "--least");
  if (const auto seed = parse_seed(options.seed)) request.rule.seed = *seed;
  request.key = KeyOf(options.key);
  check_outputs({options.json, options.markdown});
  const History history = gate::CollectHistory(request);
  write_output(options.json, history_to_json(history));
  write_output(options.markdown, report::HistoryMarkdownReport(history));
  if (options.json != "-" && options.markdown != "-") {
    print(report::HistoryConsoleReport(history, ConsoleOptionsOf(options.display)));
  }
  return Exit::kPass;
}

}  // namespace

Command add_history(CLI::App& app) {
  auto options = std::make_shared<HistoryOptions>();
  gate::HistoryRequest& request = options->request;
  app.add_option("SOURCES", request.sources,
                 "Stores of baselines (a folder or git:REV:FOLDER), folders of verdict and session "
                 "files, and such files")
      ->required();
  app.add_option("--suite", request.suite, "Only this suite")->check(not_empty());
  app.add_option("--class", request.machine_class, "Only machines of this class")
      ->check(not_empty());
  app.add_option("--filter", request.filter, "Only cases whose name matches this expression")
      ->check(not_empty());
  app.add_option("--along", request.along,
                 "Order points by the commits that lead to this revision, not by time")
      ->check(not_empty());
  app.add_option("--last", request.rule.newest, "Only so many of the newest points of each case")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--alpha", options->alpha,
                 "Chance of telling a change anywhere where there is none [1%]")
      ->check(not_empty());
  app.add_option("--least", options->least, "Smaller changes are not told [1%]")
      ->check(not_empty());
  app.add_option("--seed", options->seed, "Of the random orders, hex [1]")->check(not_empty());
  AddKeyOption(app, options->key, "File of a key: read only files that it signed");
  app.add_option("--json", options->json, "Write the history to this file; - for standard output")
      ->check(not_empty());
  app.add_option("--markdown", options->markdown, "Write a Markdown report to this file")
      ->check(not_empty());
  AddColorOption(app, options->display);
  app.footer("Exits 0 whatever changed: a history shows, a gate judges.");
  return [options] { return RunHistory(*options); };
}

}  // namespace perfgate::cli
