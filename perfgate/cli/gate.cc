// SPDX-License-Identifier: Apache-2.0
// perfgate gate: two executables in, a verdict out.
#include "perfgate/verdict/gate/gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/gate_files.h"
#include "perfgate/cli/gate_ledger.h"
#include "perfgate/cli/gate_store.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress.h"
#include "perfgate/cli/options/store_options.h"
#include "perfgate/cli/result_files.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/schedule/scheduler.h"
#include "perfgate/report/console_report.h"
#include "perfgate/report/markdown_report.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/gate/experiment.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/gate/suite_verdict.h"

namespace perfgate::cli {
namespace {

struct GateOptions {
  MeasureOptions measure;
  StoreGateOptions store;
  std::string ledger;   // folder
  std::string metrics;  // file
  std::string suspected = "fail";
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

void plan_looks(Session& session, double left_s, const GateLedger& ledger,
                ProgressDisplay& display) {
  ledger.require_same_cases(session);
  if (build_mismatch(session.arms[0], session.arms[1])) return;  // nothing to measure
  const Policy& policy = session.policy;
  const int rounds = affordable_rounds(policy, session.schedule.round_s, left_s);
  const std::optional<Session>& before = ledger.before();
  const int done = before ? static_cast<int>(before->rounds.size()) : 0;
  const std::vector<stats::Look> looks =
      before ? looks_after(*before, policy, rounds) : looks_within(policy, rounds);
  for (const stats::Look& look : looks) {
    session.schedule.looks.push_back(look.rounds - done);
    session.schedule.look_alpha.push_back(look.alpha);
  }
  if (!stats::can_fail(looks)) {
    const std::string warning =
        before ? "earlier attempts on these executables have used up alpha: this one can only pass "
                 "or stay inconclusive."
               : cannot_fail_warning(policy, rounds, session.schedule.round_s);
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

measure::MeasurePlan make_plan(const GateOptions& options, const Policy& policy) {
  measure::MeasurePlan plan;
  plan.policy = policy;
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

void check_gate_outputs(const MeasureOptions& options) {
  check_outputs({options.json, options.session, options.markdown});
}

Exit show(const SuiteVerdict& verdict, const MeasureOptions& options) {
  write_output(options.json, verdict_to_json(verdict));
  write_output(options.markdown, report::markdown_report({&verdict, 1}));
  if (options.json != "-") {
    print(report::console_report(verdict, {.color = options.color}));
  }
  throw_if_interrupted();
  return verdict.exit;
}

// The rounds of all attempts.
Session measure_arms(const measure::MeasurePlan& plan, GateLedger& ledger) {
  ProgressDisplay display;
  measure::Hooks hooks;
  hooks.plan_looks = [&](Session& session, double left_s) {
    plan_looks(session, left_s, ledger, display);
    ledger.start(session);
  };
  hooks.open_cases = [&](const Session& session, int) {
    const Session pooled = ledger.pooled(session);
    ledger.keep_look(pooled);
    return open_cases(pooled);
  };
  hooks.progress = [&](const measure::Progress& progress) { display.show(progress); };
  return ledger.pooled(measure::measure(plan, hooks));
}

// Measures both executables side by side. base: what a store says of the first, or none.
Exit gate_paired(const GateOptions& options, const Policy& policy, const StoreBase* base) {
  const measure::MeasurePlan plan = make_plan(options, policy);
  check_gate_outputs(options.measure);
  const bool with_ledger = !plan.list_only && !options.aa;
  GateLedger ledger(with_ledger ? options.ledger : "",
                    {plan.suite, plan.arms[0].executable.digest, plan.arms[1].executable.digest});
  const InterruptScope interrupts;
  Session session = ledger.decided(policy) ? *ledger.before() : measure_arms(plan, ledger);
  SuiteVerdict verdict = plan.list_only ? decide_identical(session) : decide(session);
  verdict.aa = options.aa;
  if (options.bootstrap) accept_new_suite(verdict);
  ledger.end(session, verdict);
  if (base != nullptr) {
    verdict.baseline_head = base->baseline.head;
    verdict.warnings.insert(verdict.warnings.end(), base->baseline.notes.begin(),
                            base->baseline.notes.end());
  }
  if (!options.measure.session.empty()) write_session(options.measure.session, session);
  return show(verdict, options.measure);
}

Exit gate_against_store(GateOptions options) {
  if (options.candidate.empty()) {
    throw Error(Exit::kUsage, "--candidate is missing; a gate compares two executables");
  }
  if (options.aa) throw Error(Exit::kUsage, "--aa takes an executable, not a store");
  if (!options.store.trusted.empty() && (options.bootstrap || options.suspected == "warn")) {
    throw Error(Exit::kUsage, std::string("with --trusted, ") +
                                  (options.bootstrap ? "--bootstrap" : "--suspected warn") +
                                  " is not allowed: it lets pass what would not");
  }
  const StoreBase base = open_store(options.baseline, options.store, options.measure);
  if (options.measure.suite.empty()) options.measure.suite = base.baseline.suite;
  // The same executable needs neither a cache nor numbers to be no slower than itself.
  const std::string digest = measure::inspect_executable(options.candidate).digest;
  const bool identical =
      digest == base.baseline.sessions.back().session.executable.digest && !options.store.numbers;
  if (identical) {
    options.baseline = options.candidate;
    return gate_paired(options, base.policy, &base);
  }
  if (base.executable) {
    options.baseline = *base.executable;
    return gate_paired(options, base.policy, &base);
  }
  if (!options.measure.session.empty()) {
    throw Error(Exit::kUsage,
                "--session needs both executables; only numbers can be compared: " + base.why_not);
  }
  check_gate_outputs(options.measure);
  const InterruptScope interrupts;
  const Exit exit = show(gate_on_numbers(base, options.candidate, options.store, options.measure),
                         options.measure);
  return exit == Exit::kSuspected && options.suspected == "warn" ? Exit::kPass : exit;
}

Exit gate(GateOptions options) {
  require_foreign(options.metrics, {options.baseline, options.candidate});
  if (names_store(options.baseline)) return gate_against_store(std::move(options));
  if (!options.store.trusted.empty()) {
    throw Error(Exit::kUsage, "--trusted needs a store as --baseline");
  }
  resolve_arms(options);
  if (names_results(options.baseline) || names_results(options.candidate)) {
    check_gate_outputs(options.measure);
    const SuiteVerdict verdict =
        gate_on_files({options.baseline, options.candidate, options.measure.suite, options.metrics,
                       options.store.allow},
                      make_policy(options.measure));
    const Exit exit = show(verdict, options.measure);
    return exit == Exit::kSuspected && options.suspected == "warn" ? Exit::kPass : exit;
  }
  return gate_paired(options, make_policy(options.measure), nullptr);
}

}  // namespace

Command add_gate(CLI::App& app) {
  auto options = std::make_shared<GateOptions>();
  app.add_option("--baseline", options->baseline,
                 "Executable of the accepted state, a store (a folder or git:REV:FOLDER), or a "
                 "file of results");
  app.add_option("--candidate", options->candidate, "Executable to judge, or a file of results");
  app.add_flag("--aa", options->aa,
               "Measure an executable against itself: shows what this machine's noise does");
  app.add_flag("--bootstrap", options->bootstrap, "Pass when every case is new");
  add_deciding_options(app, options->measure);
  add_measuring_options(app, options->measure);
  add_store_options(app, options->store);
  add_metrics_option(app, options->metrics);
  app.add_option("--suspected", options->suspected,
                 "What a slowdown that only recorded numbers show does to the exit code: fail "
                 "(15) or warn (0) [fail]")
      ->check(CLI::IsMember({"fail", "warn"}));
  app.add_option("--ledger", options->ledger,
                 "Folder of attempts: a rerun on the same executables goes on where the last "
                 "stopped, and a regression is final")
      ->check(not_empty());
  return [options] { return gate(*options); };
}

}  // namespace perfgate::cli
