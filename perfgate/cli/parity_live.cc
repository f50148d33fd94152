// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/parity_live.h"

#include <algorithm>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress.h"
#include "perfgate/cli/result_files.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/schedule/scheduler.h"
#include "perfgate/report/parity_report.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/parity/parity_files.h"
#include "perfgate/verdict/parity/parity_verdict.h"

namespace perfgate::cli {
namespace {

constexpr int kBaseline = 0;
constexpr double kDefaultMargin = 0.05;

// The policy's tolerance is the margin.
Policy parity_policy(const LiveOptions& options) {
  Policy defaults;
  defaults.tolerance = kDefaultMargin;
  Policy policy = make_policy(options.measure, defaults);
  if (!options.margin.empty()) {
    const double margin = parse_fraction(options.margin, "--margin");
    if (margin != policy.tolerance) {
      policy.overrides.push_back("margin " + format_number(policy.tolerance) + " -> " +
                                 format_number(margin) + " (command line)");
    }
    policy.tolerance = margin;
    validate(policy);
  }
  if (policy.tolerance <= 0) throw Error(Exit::kUsage, "the margin must be above 0");
  return policy;
}

measure::MeasurePlan make_plan(const LiveOptions& options) {
  measure::MeasurePlan plan;
  plan.policy = parity_policy(options);
  plan.seed = parse_seed(options.measure.seed);
  plan.cpus = options.measure.cpus;
  plan.suite = options.measure.suite;
  plan.tool = "perfgate " PERFGATE_VERSION;
  plan.spare_arm = kBaseline;
  const std::array<std::string, 3> paths = {options.baseline, options.human, options.agent};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    plan.arms.push_back({std::string(kParityArms[i]), measure::inspect_executable(paths[i])});
    for (std::size_t j = 0; j < i; ++j) {
      // What cannot differ is not measured.
      plan.list_only |= plan.arms[i].executable.digest == plan.arms[j].executable.digest;
    }
  }
  return plan;
}

// Looks without alpha: at each of them a pair is settled by its interval or stays open.
void plan_looks(Session& session, double left_s, ProgressDisplay& display) {
  if (build_mismatch(session.arms[1], session.arms[2])) return;  // nothing to measure
  const Policy& policy = session.policy;
  const int rounds = affordable_rounds(policy, session.schedule.round_s, left_s);
  for (const stats::Look& look : looks_within(policy, rounds)) {
    session.schedule.looks.push_back(look.rounds);
    session.schedule.look_alpha.push_back(0);
  }
  if (session.schedule.looks.empty() || session.schedule.looks.back() < stats::kMinimumRounds) {
    const std::string warning =
        "fewer than 6 rounds decide nothing; raise --rounds or --budget, or narrow --filter";
    session.warnings.push_back(warning);
    display.say("perfgate: " + warning);
  }
}

Session measure_arms(const measure::MeasurePlan& plan, const std::string& primary) {
  ProgressDisplay display;
  measure::Hooks hooks;
  hooks.plan_looks = [&](Session& s, double left_s) { plan_looks(s, left_s, display); };
  hooks.open_cases = [&](const Session& s, int) { return open_parity_cases(s, primary); };
  hooks.progress = [&](const measure::Progress& progress) { display.show(progress); };
  return measure::measure(plan, hooks);
}

Exit show(const LiveOptions& options, const ParityVerdict& verdict) {
  write_output(options.measure.json, parity_to_json(verdict));
  write_output(options.measure.markdown, report::parity_markdown_report(verdict));
  if (options.measure.json != "-" && options.measure.markdown != "-") {
    print(report::parity_console_report(verdict, {.color = options.measure.color}));
  }
  return verdict.exit;
}

}  // namespace

Exit parity_live(const LiveOptions& options) {
  const measure::MeasurePlan plan = make_plan(options);
  check_outputs({options.measure.json, options.measure.session, options.measure.markdown});
  const InterruptScope interrupts;
  const Session session = measure_arms(plan, options.primary);
  if (!options.measure.session.empty()) write_session(options.measure.session, session);
  const Exit exit = show(options, decide_parity(session, options.primary));
  throw_if_interrupted();
  return exit;
}

Exit parity_of_files(const LiveOptions& options) {
  check_outputs({options.measure.json, options.measure.markdown});
  if (!options.measure.session.empty()) {
    throw Error(Exit::kUsage,
                "--session keeps what is measured; files of results are measured already");
  }
  const std::array<std::string, 3> paths = {options.baseline, options.human, options.agent};
  for (const std::string& path : paths) {
    if (names_results(path)) continue;
    throw Error(Exit::kUsage, path +
                                  ": results can only be compared with results: give three "
                                  "executables, or three files that `perfgate import` reads");
  }
  require_foreign(options.metrics, {paths[0], paths[1], paths[2]});
  const MetricRegistry registry = read_metrics(options.metrics);
  const Policy policy = parity_policy(options);
  std::array<Session, 3> sessions;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    sessions[i] = read_results(paths[i], std::string(kParityArms[i]), options.measure.suite, policy,
                               registry);
  }
  return show(options, decide_parity_files(sessions, policy, options.primary, options.allow));
}

Exit parity_recorded(const LiveOptions& options, const std::string& session_file) {
  check_outputs({options.measure.json, options.measure.markdown});
  return show(options, decide_parity(read_session(session_file), options.primary));
}

}  // namespace perfgate::cli
