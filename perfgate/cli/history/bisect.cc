// SPDX-License-Identifier: Apache-2.0
// perfgate bisect: which commit made a case slower, by a gate per step.
#include "perfgate/gate/bisect/bisect.h"

#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/cli/options/terminal.h"
#include "perfgate/report/history/bisect_report.h"

namespace perfgate::cli {
namespace {

struct BisectOptions {
  gate::BisectRequest request;
  MeasureOptions measure;
  std::string build_limit;
};

Exit RunBisect(const BisectOptions& options) {
  gate::BisectRequest request = options.request;
  request.measure = MeasureRequestOf(options.measure);
  if (!options.build_limit.empty()) {
    request.build_limit_s = parse_duration_s(options.build_limit, "--build-limit");
  }
  const MeasureOptions& outputs = options.measure;
  check_outputs({outputs.json, outputs.markdown});
  const InterruptScope interrupts;
  Bisection bisection;
  {
    ProgressDisplay display;
    bisection = gate::Bisect(request, display);
  }
  write_output(outputs.json, bisection_to_json(bisection));
  write_output(outputs.markdown, report::BisectMarkdownReport(bisection));
  if (outputs.json != "-" && outputs.markdown != "-") {
    print(report::BisectConsoleReport(bisection, ConsoleOptionsOf(outputs.display)));
  }
  return gate::ExitOfBisection(bisection);
}

// Those of a gate that a bisection can use.
void AddMeasureOptions(CLI::App& app, MeasureOptions& measure) {
  app.add_option("--policy", measure.policy_file, "Policy file of the gate of good against bad")
      ->check(not_empty());
  app.add_option("--filter", measure.filter, "Only cases whose name matches this expression")
      ->check(not_empty());
  app.add_option("--tolerance", measure.tolerance,
                 "A slowdown from good to bad that is not worth a bisection [2%]")
      ->check(not_empty());
  app.add_option("--alpha", measure.alpha, "Chance of a wrong step [0.01]")->check(not_empty());
  app.add_option("--budget", measure.budget, "Wall time of one gate [auto]")->check(not_empty());
  app.add_option("--rounds", measure.rounds, "Rounds of one gate instead of a budget");
  app.add_option("--slice", measure.slice, "Timed length of one slice [10ms]")->check(not_empty());
  app.add_option("--pairs", measure.pairs, "Slices per arm, case and round [4]");
  app.add_option("--cpu", measure.cpus, "Cores to measure on [the quietest]")->delimiter(',');
  app.add_option("--suite", measure.suite, "Name of the suite")->check(not_empty());
  app.add_option("--json", measure.json, "Write the bisection to this file; - for standard output")
      ->check(not_empty());
  app.add_option("--markdown", measure.markdown, "Write a Markdown report to this file")
      ->check(not_empty());
  AddColorOption(app, measure.display);
}

}  // namespace

Command add_bisect(CLI::App& app) {
  auto options = std::make_shared<BisectOptions>();
  gate::BisectRequest& request = options->request;
  app.add_option("GOOD", request.good, "Commit before the slowdown")->required();
  app.add_option("BAD", request.bad, "Commit after it")->required();
  app.add_option("--build", request.build, "Command that builds a checkout, run in its top folder")
      ->check(not_empty());
  app.add_option("--executable", request.executable,
                 "Benchmark executable that --build leaves, relative to the checkout")
      ->check(not_empty());
  app.add_option("--prebuilt", request.prebuilt,
                 "Executables that are there already: a path with {commit} for the full id")
      ->check(not_empty());
  app.add_option("--case", request.case_name, "The case to bisect [the one that is most slower]")
      ->check(not_empty());
  app.add_option("--state", request.state,
                 "File of the bisection, from which it goes on [in --folder, by the ends]")
      ->check(not_empty());
  app.add_option("--folder", request.folder,
                 "Checkout, executables and ledger [" + request.folder + "]")
      ->check(not_empty());
  app.add_option("--attempts", request.attempts, "Gates of a step while it is undecided [3]")
      ->check(CLI::Range(1, 100));
  app.add_option("--build-limit", options->build_limit, "Longest build [1h]")->check(not_empty());
  AddMeasureOptions(app, options->measure);
  app.footer(
      "Exits 0 when the commit was found, 12 when nothing is slower or several commits are left\n"
      "because those between cannot be judged, 11 when an end cannot be built. Started again, it\n"
      "goes on where it was stopped.");
  return [options] { return RunBisect(*options); };
}

}  // namespace perfgate::cli
