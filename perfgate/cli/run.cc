// SPDX-License-Identifier: Apache-2.0
// perfgate run: measure executables side by side and record the session; nothing is decided.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/options.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/schedule/scheduler.h"
#include "perfgate/report/session_report.h"

namespace perfgate::cli {
namespace {

constexpr int kDefaultRounds = 10;
constexpr std::size_t kMostArms = 5;  // the roles of a round are one of arms! permutations

struct RunOptions {
  MeasureOptions measure;
  std::vector<std::string> executables;
};

// File names; where two are alike, the shortest path suffixes that tell them apart would be long,
// so they are numbered.
std::vector<std::string> labels(const std::vector<std::string>& executables) {
  std::map<std::string, int> seen;
  std::vector<std::string> result;
  for (const std::string& path : executables) {
    const std::string name = std::filesystem::path(path).filename().string();
    const int count = ++seen[name];
    result.push_back(count == 1 ? name : name + "#" + std::to_string(count));
  }
  return result;
}

Exit exit_of(const Session& session) {
  if (session.cases.empty()) return Exit::kNotComparable;
  const bool failed = std::any_of(session.faults.begin(), session.faults.end(), [](const Fault& f) {
    return f.kind != FaultKind::kSkipped && f.kind != FaultKind::kAbsent;
  });
  if (failed) return Exit::kFailed;
  if (!session.rounds.empty()) return Exit::kPass;
  return session.faults.empty() ? Exit::kInconclusive : Exit::kSkipped;
}

Exit run(const RunOptions& options) {
  if (options.executables.size() > kMostArms) {
    throw Error(Exit::kUsage, "at most " + std::to_string(kMostArms) + " executables at once");
  }
  measure::MeasurePlan plan;
  plan.compare = false;
  plan.policy = make_policy(options.measure);
  plan.seed = parse_seed(options.measure.seed);
  plan.cpus = options.measure.cpus;
  plan.suite = options.measure.suite;
  plan.tool = "perfgate " PERFGATE_VERSION;
  const std::vector<std::string> names = labels(options.executables);
  for (std::size_t i = 0; i < names.size(); ++i) {
    plan.arms.push_back({names[i], measure::inspect_executable(options.executables[i])});
  }
  check_writable(options.measure.session);
  const InterruptScope interrupts;
  Session session;
  {
    ProgressDisplay display;
    measure::Hooks hooks;
    hooks.plan_looks = [](Session& s, double) {
      s.schedule.looks = {s.policy.rounds > 0 ? s.policy.rounds : kDefaultRounds};
      s.schedule.look_alpha = {0.0};
    };
    hooks.open_cases = [](const Session& s, int) {
      return std::vector<bool>(s.cases.size(), false);
    };
    hooks.progress = [&](const measure::Progress& progress) { display.show(progress); };
    session = measure::measure(plan, hooks);
  }
  if (!options.measure.session.empty()) write_session(options.measure.session, session);
  print(report::session_console_report(session, {.color = options.measure.color}));
  throw_if_interrupted();
  return exit_of(session);
}

}  // namespace

Command add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("BIN", options->executables, "Google Benchmark executables")->required();
  add_measuring_options(app, options->measure);
  app.footer("Measures 10 rounds unless --rounds or the budget says otherwise.");
  return [options] { return run(*options); };
}

}  // namespace perfgate::cli
