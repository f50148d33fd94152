// SPDX-License-Identifier: Apache-2.0
// perfgate calibrate: an executable against itself, for a fixed number of rounds: what this
// machine's noise does to the suite, and to the gate.
#include <algorithm>
#include <cmath>
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/duration.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/schedule/scheduler.h"
#include "perfgate/report/calibration_report.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/verdict/planning/calibration.h"
#include "perfgate/verdict/planning/noise_analysis.h"

namespace perfgate::cli {
namespace {

constexpr double kDefaultBudgetS = 120;
constexpr int kMostRounds = 10000;  // as --rounds

struct CalibrateOptions {
  MeasureOptions measure;
  std::string executable;
  std::string output;
};

// The policy that a gate would use, and the one to measure with: --budget and --rounds say how long
// to calibrate, not how long to gate.
struct Policies {
  Policy gate;
  Policy measuring;
};

Policies make_policies(const MeasureOptions& options) {
  MeasureOptions of_gate = options;
  of_gate.budget.clear();
  of_gate.rounds.reset();
  Policies policies{make_policy(of_gate), {}};
  policies.measuring = policies.gate;
  policies.measuring.budget_s =
      options.budget.empty() ? kDefaultBudgetS : parse_duration_s(options.budget, "--budget");
  policies.measuring.rounds = options.rounds.value_or(0);
  if (options.rounds && *options.rounds < kLeastCalibrationRounds) {
    throw Error(Exit::kUsage, "--rounds " + std::to_string(*options.rounds) +
                                  " is too few: a calibration needs 6 rounds, and 20 to say much");
  }
  validate(policies.measuring);
  return policies;
}

// Every round is measured in full whatever the looks say; they are planned so that the session can
// be judged as a gate's can.
void plan_rounds(Session& session, double left_s, ProgressDisplay& display) {
  const Policy& policy = session.policy;
  const double round_s = session.schedule.round_s;
  int rounds = policy.rounds;
  if (rounds == 0) {
    rounds = round_s > 0 ? static_cast<int>(std::clamp(left_s / round_s, 0.0, 1.0 * kMostRounds))
                         : kWantedCalibrationRounds;
  }
  if (round_s > 0 && rounds < kLeastCalibrationRounds) {
    throw Error(Exit::kUsage,
                "the budget allows about " + std::to_string(rounds) + " round(s) of " +
                    std::to_string(std::lround(std::ceil(round_s))) +
                    " s; a calibration needs 6, and 20 to say much: raise --budget to about " +
                    std::to_string(std::lround(std::ceil(
                        policy.budget_s - left_s + (kWantedCalibrationRounds + 1) * round_s))) +
                    "s or narrow --filter");
  }
  if (rounds < kWantedCalibrationRounds) {
    display.say("perfgate: " + std::to_string(rounds) +
                " rounds only: below 20 every figure of a calibration is rough");
  }
  for (const stats::Look& look :
       stats::plan_looks(policy.alpha, std::max(rounds, kLeastCalibrationRounds), true)) {
    session.schedule.looks.push_back(look.rounds);
    session.schedule.look_alpha.push_back(look.alpha);
  }
}

bool is_failure(const Fault& fault) {
  return fault.kind != FaultKind::kSkipped && fault.kind != FaultKind::kAbsent &&
         fault.kind != FaultKind::kUnmeasured && fault.kind != FaultKind::kTooManyThreads;
}

// Of a session that cannot be calibrated from.
Exit exit_without_result(const Session& session, const Error& error) {
  if (session.cases.empty()) return Exit::kNotComparable;
  if (std::any_of(session.faults.begin(), session.faults.end(), is_failure)) return Exit::kFailed;
  const bool all_skipped =
      !session.faults.empty() &&
      std::all_of(session.faults.begin(), session.faults.end(),
                  [](const Fault& fault) { return fault.kind == FaultKind::kSkipped; }) &&
      std::all_of(session.rounds.begin(), session.rounds.end(),
                  [](const RoundInfo& round) { return round.cases.empty(); });
  return all_skipped ? Exit::kSkipped : error.exit();
}

Session measure_against_itself(const CalibrateOptions& options, const Policy& policy) {
  measure::MeasurePlan plan;
  plan.policy = policy;
  plan.seed = parse_seed(options.measure.seed);
  plan.cpus = options.measure.cpus;
  plan.suite = options.measure.suite;
  plan.tool = "perfgate " PERFGATE_VERSION;
  plan.arms.push_back({"baseline", measure::inspect_executable(options.executable)});
  plan.arms.push_back({"candidate", plan.arms[0].executable});
  ProgressDisplay display;
  measure::Hooks hooks;
  hooks.plan_looks = [&](Session& s, double left_s) { plan_rounds(s, left_s, display); };
  hooks.open_cases = [](const Session& s, int) { return std::vector<bool>(s.cases.size(), true); };
  hooks.progress = [&](const measure::Progress& progress) { display.show(progress); };
  return measure::measure(plan, hooks);
}

// The reason stands in the session's faults; the first few are enough.
std::string fault_list(const Session& session) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, session.faults.size()); ++i) {
    const Fault& fault = session.faults[i];
    text += "\n  ";
    if (fault.case_index < session.cases.size()) {
      text += session.cases[fault.case_index].name + ": ";
    }
    text += std::string(to_string(fault.kind)) + (fault.detail.empty() ? "" : ": " + fault.detail);
  }
  return text;
}

Exit calibrate(const CalibrateOptions& options) {
  const Policies policies = make_policies(options.measure);
  check_outputs({options.output, options.measure.session});
  const InterruptScope interrupts;
  const Session session = measure_against_itself(options, policies.measuring);
  if (!options.measure.session.empty()) write_session(options.measure.session, session);
  // Too little is known then: no calibration is better than one of the first few rounds.
  throw_if_interrupted();

  Calibration calibration;
  try {
    calibration = calibrate_noise(session, policies.gate);
  } catch (const Error& error) {
    const std::string message =
        session.cases.empty() ? "no case to calibrate: there is none, or the filter leaves none"
                              : error.what() + fault_list(session);
    throw Error(exit_without_result(session, error), message);
  }
  write_output(options.output, calibration_to_json(calibration));
  if (options.output != "-") {
    print(report::calibration_console_report(calibration, analyse_noise(calibration),
                                             {.color = options.measure.color}));
  }
  const bool failed = std::any_of(session.faults.begin(), session.faults.end(), is_failure);
  return failed ? Exit::kFailed : Exit::kPass;
}

}  // namespace

Command add_calibrate(CLI::App& app) {
  auto options = std::make_shared<CalibrateOptions>();
  app.add_option("BIN", options->executable, "Google Benchmark executable")->required();
  app.add_option("--output,--json", options->output,
                 "Write the calibration to this file; - for standard output")
      ->check(not_empty());
  add_measuring_options(app, options->measure, "2min");
  app.footer(
      "Measures the executable against itself and never stops early: 2 minutes, or --rounds.\n"
      "--policy is the policy of the gate whose false alarms and reach are shown; its budget and\n"
      "rounds are the gate's. Exits 0, 11 when a case failed, 12 and 13 when nothing was "
      "measured.");
  return [options] { return calibrate(*options); };
}

}  // namespace perfgate::cli
