// SPDX-License-Identifier: Apache-2.0
// perfgate ablate: one executable whose cases differ in options: which option is worth its place?
//
// Each case with the option and its partner without it are measured as the two arms of a gate: two
// processes of the executable, slices alternated on one core. They are launched anew in every round
// for every option: else the one would have run all options and the other the default alone.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/schedule/scheduler.h"
#include "perfgate/report/ablation_report.h"
#include "perfgate/verdict/ablation/ablation.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/gate/suite_verdict.h"

namespace perfgate::cli {
namespace {

struct AblateOptions {
  MeasureOptions measure;
  std::string executable;
  std::vector<std::string> keys;
};

std::vector<std::string> names_of(const measure::Listing& listing) {
  std::vector<std::string> names;
  for (const CaseInfo& info : listing.cases) names.push_back(info.name);
  return names;
}

// toggles: filled when the executable has been listed.
measure::MeasurePlan make_plan(const AblateOptions& options, std::vector<Toggle>& toggles) {
  measure::MeasurePlan plan;
  plan.policy = make_policy(options.measure);
  plan.seed = parse_seed(options.measure.seed);
  plan.cpus = options.measure.cpus;
  plan.suite = options.measure.suite;
  plan.tool = "perfgate " PERFGATE_VERSION;
  const measure::Executable executable = measure::inspect_executable(options.executable);
  if (!executable.speaks_protocol) {
    throw Error(Exit::kUsage, options.executable +
                                  ": an ablation needs an executable that links perfgate::main, "
                                  "which can run one case as several");
  }
  const auto view = [&toggles, keys = options.keys](bool with) {
    return [&toggles, keys, with](const measure::Listing& listing) {
      // An executable that cannot be listed has a fault of its own.
      if (!listing.cases.empty()) toggles = find_toggles(names_of(listing), keys);
      std::vector<measure::ShownCase> shown;
      shown.reserve(toggles.size());
      for (const Toggle& toggle : toggles) {
        shown.push_back({toggle.name, with ? toggle.after : toggle.before});
      }
      return shown;
    };
  };
  plan.arms.push_back({"without", executable, view(false)});
  plan.arms.push_back({"with", executable, view(true)});
  plan.launch_of = [&toggles](const std::string& name) {
    const auto toggle = std::find_if(toggles.begin(), toggles.end(),
                                     [&](const Toggle& one) { return one.name == name; });
    if (toggle == toggles.end()) throw std::logic_error("no toggle is called " + name);
    return toggle->option;
  };
  return plan;
}

void plan_looks(Session& session, double left_s, ProgressDisplay& display) {
  const int rounds = affordable_rounds(session.policy, session.schedule.round_s, left_s);
  const std::vector<stats::Look> looks = looks_within(session.policy, rounds);
  for (const stats::Look& look : looks) {
    session.schedule.looks.push_back(look.rounds);
    session.schedule.look_alpha.push_back(look.alpha);
  }
  if (!stats::can_fail(looks)) {
    const std::string warning =
        "so few rounds cannot show that an option is worse or better, which by default takes 10; "
        "raise --rounds or --budget, or narrow --filter";
    session.warnings.push_back(warning);
    display.say("perfgate: " + warning);
  }
}

// What an option does is an answer, not a failure: only what could not be answered is.
Exit exit_of(const Ablation& ablation) {
  for (const Exit exit : {Exit::kInvalid, Exit::kFailed, Exit::kNotComparable, Exit::kSkipped}) {
    if (ablation.suite.exit == exit) return exit;
  }
  // A gate ends with a regression before it ends with what cannot be compared, and passes over what
  // is new; here the one is an answer and the others are none.
  for (const AblationRow& row : ablation.rows) {
    if (is_unanswered(row)) return Exit::kNotComparable;
  }
  const bool open = std::any_of(ablation.rows.begin(), ablation.rows.end(), [](const auto& row) {
    return row.promotion == Promotion::kUnresolved;
  });
  return open || ablation.rows.empty() || !ablation.suite.complete ? Exit::kInconclusive
                                                                   : Exit::kPass;
}

Exit ablate(const AblateOptions& options) {
  std::vector<Toggle> toggles;
  const measure::MeasurePlan plan = make_plan(options, toggles);
  check_outputs({options.measure.json, options.measure.session, options.measure.markdown});
  const InterruptScope interrupts;
  Session session;
  {
    ProgressDisplay display;
    measure::Hooks hooks;
    hooks.plan_looks = [&](Session& s, double left_s) { plan_looks(s, left_s, display); };
    hooks.open_cases = [](const Session& s, int) { return open_ablation_cases(s); };
    hooks.progress = [&](const measure::Progress& progress) { display.show(progress); };
    session = measure::measure(plan, hooks);
  }
  if (!options.measure.session.empty()) write_session(options.measure.session, session);
  const Ablation ablation = decide_ablation(session, toggles);
  write_output(options.measure.json, verdict_to_json(ablation.suite));
  write_output(options.measure.markdown, report::ablation_markdown_report(ablation));
  if (options.measure.json != "-" && options.measure.markdown != "-") {
    print(report::ablation_console_report(ablation));
  }
  throw_if_interrupted();
  return exit_of(ablation);
}

}  // namespace

Command add_ablate(CLI::App& app) {
  auto options = std::make_shared<AblateOptions>();
  app.add_option("BIN", options->executable, "Google Benchmark executable with perfgate::main")
      ->required();
  app.add_option("--key", options->keys,
                 "Option in names of cases, as gemv of .../gemv:reference: compared with the case "
                 "without it, or with another value: gemv=own; may be repeated")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  add_deciding_options(app, options->measure);
  add_measuring_options(app, options->measure);
  app.footer(
      "Exit codes: 0 every option is decided, whatever for; 12 some are unresolved;\n"
      "11, 13, 14 some could not be judged. --alpha is the chance that any option is wrongly\n"
      "called worse, and the chance that any is wrongly called better. --hide-limit and\n"
      "--claim-improvements concern the verdict file alone.");
  return [options] { return ablate(*options); };
}

}  // namespace perfgate::cli
