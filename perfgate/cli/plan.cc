// SPDX-License-Identifier: Apache-2.0
// perfgate plan: how many rounds and minutes a gate on a calibrated suite needs, and what it cannot
// resolve; or, with --split, which job of a fleet measures which case.
#include <memory>

#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/fleet/split.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/report/plan_report.h"
#include "perfgate/verdict/planning/suite_plan.h"

namespace perfgate::cli {
namespace {

struct PlanOptions {
  MeasureOptions deciding;  // policy, tolerance and alpha
  std::string calibration;
  std::string power;
  std::string slowdown;
  std::string budget;
  std::string json;
  std::string markdown;
  DisplayOptions display{};
  SplitOptions split;
};

// Options of the one use beside those of the other.
void RequireOneUse(const PlanOptions& options) {
  const SplitOptions& split = options.split;
  if (split.jobs > 0) {
    if (options.power.empty() && options.slowdown.empty() && options.budget.empty() &&
        options.json.empty() && options.markdown.empty()) {
      return;
    }
    throw Error(Exit::kUsage,
                "--split cuts a suite into jobs; --power, --slowdown, --budget, --json and "
                "--markdown plan one gate: leave them out");
  }
  const MeasureOptions& cut = options.deciding;
  if (!(split.baseline + split.candidate + split.output + cut.suite + cut.filter + cut.slice)
           .empty() ||
      cut.rounds || cut.pairs) {
    throw Error(Exit::kUsage,
                "--baseline, --candidate, --output, --suite, --filter, --rounds, --slice and "
                "--pairs need --split N");
  }
  if (options.calibration.empty()) {
    throw Error(Exit::kUsage, "CALIBRATION is required: the file that perfgate calibrate wrote");
  }
}

Exit plan(const PlanOptions& options) {
  RequireOneUse(options);
  if (options.split.jobs > 0) {
    return SplitSuite(options.split, options.deciding, options.calibration);
  }
  const Calibration calibration = read_calibration(options.calibration);
  PlanRequest request;
  request.tool = "perfgate " PERFGATE_VERSION;
  request.policy = gate::ResolvePolicy(PolicyRequestOf(options.deciding), calibration.policy);
  if (!options.power.empty()) request.power = parse_fraction(options.power, "--power");
  if (!options.slowdown.empty()) request.slowdown = parse_fraction(options.slowdown, "--slowdown");
  if (!options.budget.empty()) request.budget_s = parse_duration_s(options.budget, "--budget");
  check_outputs({options.json, options.markdown});
  const SuitePlan planned = plan_suite(calibration, request);
  write_output(options.json, plan_to_json(planned));
  write_output(options.markdown, report::plan_markdown_report(planned));
  if (options.json != "-" && options.markdown != "-") {
    print(report::plan_console_report(planned, ConsoleOptionsOf(options.display)));
  }
  return planned.exit;
}

}  // namespace

Command add_plan(CLI::App& app) {
  auto options = std::make_shared<PlanOptions>();
  app.add_option("CALIBRATION", options->calibration,
                 "File that perfgate calibrate wrote; with --split, where there is one, it or a "
                 "session says how long cases take");
  app.add_option("--policy", options->deciding.policy_file,
                 "Plan for this policy file instead of the calibration's policy")
      ->check(not_empty());
  app.add_option("--tolerance", options->deciding.tolerance, "Slowdown that is accepted, e.g. 2%")
      ->check(not_empty());
  app.add_option("--alpha", options->deciding.alpha,
                 "Chance of a false regression anywhere in the suite")
      ->check(not_empty());
  app.add_option("--slowdown", options->slowdown, "Slowdown that must be found [5%]")
      ->check(not_empty());
  app.add_option("--power", options->power, "Chance with which a case must be decided [80%]")
      ->check(not_empty());
  app.add_option("--budget", options->budget,
                 "Wall time of the gate, e.g. 60s [no limit but 40 rounds]")
      ->check(not_empty());
  app.add_option("--json", options->json, "Write the plan to this file; - for standard output")
      ->check(not_empty());
  app.add_option("--markdown", options->markdown, "Write a Markdown report to this file")
      ->check(not_empty());
  AddColorOption(app, options->display);
  AddSplitOptions(app, options->split, options->deciding);
  app.footer(
      "Exits 0 when every gated case passes unchanged and fails at the slowdown, each with the\n"
      "power asked for, and 12 when some case does not. With --split: 0.");
  return [options] { return plan(*options); };
}

}  // namespace perfgate::cli
