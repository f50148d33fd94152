// SPDX-License-Identifier: Apache-2.0
// perfgate run: measure executables side by side and record the session; nothing is decided. With
// --fleet the executables and cases are those of one job of a plan.
#include "perfgate/gate/experiments/run.h"

#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/exits.h"
#include "perfgate/gate/fleet/fleet.h"
#include "perfgate/report/session_report.h"

namespace perfgate::cli {
namespace {

struct RunOptions {
  MeasureOptions measure;
  std::vector<std::string> executables;
  gate::JobRequest job{.plan = {}, .job = 0};
  std::string key;
};

// What a plan of a fleet says already, and what would make a job another experiment.
void RequirePlansOwn(const RunOptions& options) {
  const MeasureOptions& typed = options.measure;
  const bool is_free = (typed.policy_file + typed.filter + typed.budget + typed.slice +
                        typed.suite + typed.layouts + typed.unchanged_code)
                           .empty() &&
                       !typed.rounds && !typed.pairs && !typed.reuse_layouts &&
                       !typed.oversubscribe && typed.count.empty();
  if (!is_free) {
    throw Error(Exit::kUsage,
                "the plan of a fleet says what its jobs measure: leave out --policy, --filter, "
                "--budget, --rounds, --slice, --pairs, --suite, --count, --layouts, "
                "--reuse-layouts, --unchanged-code and --oversubscribe");
  }
  if (!options.executables.empty()) {
    throw Error(Exit::kUsage,
                "the plan of a fleet names the executables; where they lie "
                "elsewhere, give --baseline and --candidate");
  }
  if (options.job.job == 0) throw Error(Exit::kUsage, "--fleet needs --job N");
}

void RequireNoJob(const RunOptions& options) {
  if (options.job.job != 0 || !(options.job.baseline + options.job.candidate + options.key).empty())
    throw Error(Exit::kUsage, "--job, --baseline, --candidate and --key need --fleet PLAN");
  if (options.executables.empty()) throw Error(Exit::kUsage, "BIN is required: what to measure");
}

Session MeasureAsked(const RunOptions& options, gate::GateDisplay& display) {
  if (options.job.plan.empty()) {
    return gate::RunArms({options.executables, MeasureRequestOf(options.measure)}, display);
  }
  gate::JobRequest job = options.job;
  job.measure = MeasureRequestOf(options.measure);
  job.measure.key = KeyOf(options.key);
  return gate::MeasureJob(job, display);
}

Exit RunCommand(const RunOptions& options) {
  if (options.job.plan.empty()) {
    RequireNoJob(options);
  } else {
    RequirePlansOwn(options);
  }
  check_writable(options.measure.session);
  const InterruptScope interrupts;
  Session session;
  {
    ProgressDisplay display;
    session = MeasureAsked(options, display);
  }
  print(report::session_console_report(session, ConsoleOptionsOf(options.measure.display)));
  throw_if_interrupted();
  return gate::ExitOfSession(session);
}

}  // namespace

Command add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("BIN", options->executables, "Google Benchmark executables");
  add_measuring_options(app, options->measure);
  app.add_option("--fleet", options->job.plan,
                 "Measure one job of this plan (perfgate plan --split) and write its --session; "
                 "started again, it goes on where it was stopped")
      ->check(not_empty());
  app.add_option("--job", options->job.job, "With --fleet: which job, from 1")
      ->check(CLI::Range(1, 100000));
  app.add_option("--baseline", options->job.baseline,
                 "With --fleet: where the baseline lies here [as the plan says]")
      ->check(not_empty());
  app.add_option("--candidate", options->job.candidate,
                 "With --fleet: where the candidate lies here [as the plan says]")
      ->check(not_empty());
  AddKeyOption(app, options->key, "With --fleet: file of a key that signs the session");
  app.footer("Measures 10 rounds unless --rounds or the budget says otherwise.");
  return [options] { return RunCommand(*options); };
}

}  // namespace perfgate::cli
