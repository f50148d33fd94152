// SPDX-License-Identifier: Apache-2.0
// perfgate demo: a gate on two tiny executables that come with perfgate, one case 5 % slower.
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/demo/demo_arms.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/gate/gate.h"
#include "perfgate/gate/roots/roots.h"
#include "perfgate/report/console/console_report.h"

namespace perfgate::cli {
namespace {

struct DemoOptions {
  MeasureOptions measure;
};

Exit RunDemo(const DemoOptions& options) {
  MeasureOptions measure = options.measure;
  if (measure.budget.empty()) measure.budget = "15s";
  measure.suite = "demo";
  gate::GateRequest request;
  request.baseline = DemoExecutable("old");
  request.candidate = DemoExecutable("new");
  request.measure = MeasureRequestOf(measure);
  check_writable(measure.json);
  print(
      "Two versions of two tiny benchmarks, old and new. The new one does 5 % more work in one of "
      "them.\n\n");
  const InterruptScope interrupts;
  gate::GateResult result;
  {
    ProgressDisplay display;
    result = gate::RunGate(request, display);
  }
  write_output(measure.json, gate::VerdictText(result.verdict, nullptr));
  print(report::console_report(result.verdict, ConsoleOptionsOf(measure.display)));
  throw_if_interrupted();
  print(DemoText(result.verdict));
  return DemoExit(result.verdict);
}

}  // namespace

Command add_demo(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  app.add_option("--budget", options->measure.budget, "Wall time for measuring [15s]")
      ->check(not_empty());
  app.add_option("--rounds", options->measure.rounds,
                 "End at exactly this many rounds and ignore the budget");
  app.add_option("--cpu", options->measure.cpus, "Cores to measure on [the quietest]")
      ->delimiter(',');
  app.add_option("--json", options->measure.json, "Write the verdict to this file")
      ->check(not_empty());
  AddColorOption(app, options->measure.display);
  AddDetailOptions(app, options->measure.display);
  app.footer(
      "Exits 0 when the slower case is red and the other one green, 12 when this machine could "
      "not\n"
      "tell. Nothing is compiled.");
  return [options] { return RunDemo(*options); };
}

}  // namespace perfgate::cli
