// SPDX-License-Identifier: Apache-2.0
// perfgate gate: two executables in, a verdict out.
#include "perfgate/verdict/gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "perfgate/cli/commands.h"
#include "perfgate/cli/options.h"
#include "perfgate/cli/outputs.h"
#include "perfgate/cli/progress.h"
#include "perfgate/evidence/files.h"
#include "perfgate/evidence/format_number.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/interrupt.h"
#include "perfgate/measure/scheduler.h"
#include "perfgate/report/console_report.h"
#include "perfgate/report/markdown_report.h"
#include "perfgate/stats/looks.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/look_plan.h"
#include "perfgate/verdict/suite_verdict.h"

namespace perfgate::cli {
namespace {

struct GateOptions {
  MeasureOptions measure;
  std::string baseline;
  std::string candidate;
  bool aa = false;
  bool bootstrap = false;
};

constexpr int kFirstFail = 10;  // rounds of the first look at which a regression can be shown

std::string cannot_fail_warning(const Policy& policy, int rounds, double round_s) {
  const std::string consequence = "this gate can only pass or stay inconclusive. ";
  if (policy.rounds > 0) {
    return "in " + std::to_string(rounds) + " round(s) no regression can be shown at alpha " +
           format_number(policy.alpha) + ": " + consequence +
           (rounds < kFirstFail ? "Raise --rounds to 10 or more." : "Raise --rounds or --alpha.");
  }
  char round_text[32];
  std::snprintf(round_text, sizeof round_text, round_s < 10 ? "%.2g" : "%.0f", round_s);
  return "the budget allows about " + std::to_string(std::max(rounds, 0)) + " round(s) of " +
         round_text + " s, and a regression needs 10: " + consequence + "Raise --budget to about " +
         std::to_string(std::lround(std::ceil((kFirstFail + 1) * round_s))) +
         "s or narrow --filter.";
}

void plan_looks(Session& session, double left_s, ProgressDisplay& display) {
  if (build_mismatch(session.arms[0], session.arms[1])) return;  // nothing to measure
  const Policy& policy = session.policy;
  const int rounds = affordable_rounds(policy, session.schedule.round_s, left_s);
  const std::vector<stats::Look> looks = looks_within(policy, rounds);
  for (const stats::Look& look : looks) {
    session.schedule.looks.push_back(look.rounds);
    session.schedule.look_alpha.push_back(look.alpha);
  }
  if (!stats::can_fail(looks)) {
    const std::string warning = cannot_fail_warning(policy, rounds, session.schedule.round_s);
    session.warnings.push_back(warning);
    display.say("perfgate: " + warning);
  }
}

void resolve_arms(GateOptions& options) {
  if (options.baseline.empty() && options.candidate.empty()) {
    throw Error(Exit::kUsage,
                "name the executables: --baseline OLD --candidate NEW (or --aa --candidate EXE)");
  }
  if (options.baseline.empty() || options.candidate.empty()) {
    if (!options.aa) {
      throw Error(Exit::kUsage, std::string("--") +
                                    (options.baseline.empty() ? "baseline" : "candidate") +
                                    " is missing; a gate compares two executables");
    }
    if (options.baseline.empty()) options.baseline = options.candidate;
    if (options.candidate.empty()) options.candidate = options.baseline;
  }
}

measure::MeasurePlan make_plan(const GateOptions& options) {
  measure::MeasurePlan plan;
  plan.policy = make_policy(options.measure);
  plan.seed = parse_seed(options.measure.seed);
  plan.cpus = options.measure.cpus;
  plan.suite = options.measure.suite;
  plan.tool = "perfgate " PERFGATE_VERSION;
  plan.arms.push_back({"baseline", measure::inspect_executable(options.baseline)});
  plan.arms.push_back({"candidate", options.candidate == options.baseline
                                        ? plan.arms[0].executable
                                        : measure::inspect_executable(options.candidate)});
  const bool identical = plan.arms[0].executable.digest == plan.arms[1].executable.digest;
  if (options.aa && !identical) {
    throw Error(Exit::kUsage,
                "--aa measures an executable against itself, but these two differ: drop --aa, or "
                "give the same one twice");
  }
  plan.list_only = identical && !options.aa;
  return plan;
}

// A suite that the base does not know yet: nothing to compare, said plainly.
void accept_new_suite(SuiteVerdict& verdict) {
  const bool all_new =
      std::all_of(verdict.columns.begin(), verdict.columns.end(), [](const ColumnVerdict& c) {
        return c.verdict == Verdict::kNew || c.verdict == Verdict::kSkipped;
      });
  if (verdict.exit != Exit::kNotComparable || !all_new || verdict.columns.empty()) return;
  verdict.exit = Exit::kPass;
  verdict.warnings.emplace_back("bootstrap: every case is new, nothing was compared");
}

Exit gate(GateOptions options) {
  resolve_arms(options);
  const measure::MeasurePlan plan = make_plan(options);
  check_outputs({options.measure.json, options.measure.session, options.measure.markdown});
  const measure::InterruptScope interrupts;
  Session session;
  {
    ProgressDisplay display;
    measure::Hooks hooks;
    hooks.plan_looks = [&](Session& s, double left_s) { plan_looks(s, left_s, display); };
    hooks.open_cases = [](const Session& s, int) { return open_cases(s); };
    hooks.progress = [&](const measure::Progress& progress) { display.show(progress); };
    session = measure::measure(plan, hooks);
  }
  SuiteVerdict verdict = plan.list_only ? decide_identical(session) : decide(session);
  verdict.aa = options.aa;
  if (options.bootstrap) accept_new_suite(verdict);

  if (!options.measure.session.empty()) write_session(options.measure.session, session);
  write_output(options.measure.json, verdict_to_json(verdict));
  write_output(options.measure.markdown, report::markdown_report({&verdict, 1}));
  if (options.measure.json != "-") {
    print(report::console_report(verdict, {.color = options.measure.color}));
  }
  measure::throw_if_interrupted();
  return verdict.exit;
}

}  // namespace

Command add_gate(CLI::App& app) {
  auto options = std::make_shared<GateOptions>();
  app.add_option("--baseline", options->baseline, "Executable of the accepted state");
  app.add_option("--candidate", options->candidate, "Executable to judge");
  app.add_flag("--aa", options->aa,
               "Measure an executable against itself: shows what this machine's noise does");
  app.add_flag("--bootstrap", options->bootstrap, "Pass when every case is new");
  add_deciding_options(app, options->measure);
  add_measuring_options(app, options->measure);
  return [options] { return gate(*options); };
}

}  // namespace perfgate::cli
