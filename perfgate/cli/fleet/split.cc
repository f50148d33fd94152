// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/fleet/split.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/text/join.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/cli/options/progress_display.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/fleet/fleet.h"

namespace perfgate::cli {
namespace {

constexpr double kArms = 2;

void ReadTimes(const std::string& file, gate::FleetRequest& request) {
  if (file.empty()) return;
  const std::string format = file_format(file);
  if (format == "calibration") {
    const Calibration calibration = read_calibration(file);
    request.default_policy = calibration.policy;
    if (request.measure.suite.empty()) request.measure.suite = calibration.suite;
    for (const CalibratedColumn& column : calibration.columns) {
      request.round_s[column.case_name] =
          column.pair_s * (calibration.policy.pairs + calibration.policy.warmup_slices);
    }
    return;
  }
  if (format != "session") {
    throw Error(Exit::kData, file + " is a " + format +
                                 " file; how long cases take stands in calibrations and sessions");
  }
  const Session session = read_session(file);
  for (const CaseInfo& info : session.cases) {
    const int slices = PairsOf(info, session.policy) + WarmupSlicesOf(info, session.policy);
    request.round_s[info.name] = kArms * slices * (info.wall_s > 0 ? info.wall_s : info.slice_s);
  }
}

std::string SplitText(const FleetPlan& plan, const std::string& file) {
  std::string text =
      fmt::format("{}: {} cases in {} jobs, looks after {} rounds, alpha {} over all jobs\n", file,
                  plan.cases.size(), plan.jobs, Join(plan.looks), plan.policy.alpha);
  std::map<int, std::pair<int, double>> jobs;
  for (const FleetCase& one : plan.cases) {
    ++jobs[one.job].first;
    jobs[one.job].second += one.round_s;
  }
  for (const auto& [job, sum] : jobs) {
    text += fmt::format("job {:<4} {} cases", job, sum.first);
    if (sum.second > 0) text += fmt::format(", about {:.2g} s a round", sum.second);
    text += "\n";
  }
  return text + fmt::format(
                    "Measure each   perfgate run --fleet {0} --job N --session job-N.json\n"
                    "Judge together perfgate merge {0} job-*.json\n",
                    file);
}

}  // namespace

void AddSplitOptions(CLI::App& app, SplitOptions& options, MeasureOptions& measure) {
  app.add_option("--split", options.jobs,
                 "Cut the suite into so many jobs, for perfgate run --fleet and perfgate merge")
      ->check(CLI::Range(1, 100000));
  app.add_option("--baseline", options.baseline, "With --split: executable of the accepted state")
      ->check(not_empty());
  app.add_option("--candidate", options.candidate, "With --split: executable to judge")
      ->check(not_empty());
  app.add_option("--output", options.output, "With --split: write the jobs to this file")
      ->check(not_empty());
  app.add_option("--suite", measure.suite, "With --split: name of the suite")->check(not_empty());
  app.add_option("--filter", measure.filter,
                 "With --split: only cases whose name matches this regular expression")
      ->check(not_empty());
  app.add_option("--rounds", measure.rounds, "With --split: the last look, in rounds [24]");
  app.add_option("--slice", measure.slice, "With --split: timed length of one slice [10ms]")
      ->check(not_empty());
  app.add_option("--pairs", measure.pairs, "With --split: slices per arm, case and round [4]");
}

Exit SplitSuite(const SplitOptions& options, const MeasureOptions& measure,
                const std::string& times) {
  if (options.output.empty()) {
    throw Error(Exit::kUsage, "--split writes the jobs to a file: give --output FILE");
  }
  check_outputs({options.output});
  gate::FleetRequest request;
  request.baseline = options.baseline;
  request.candidate = options.candidate;
  request.jobs = options.jobs;
  request.measure = MeasureRequestOf(measure);
  ReadTimes(times, request);
  const InterruptScope interrupts;
  FleetPlan plan;
  {
    ProgressDisplay display;
    plan = gate::PlanFleet(request, display);
  }
  throw_if_interrupted();
  write_output(options.output, fleet_to_json(plan));
  if (options.output != "-") print(SplitText(plan, options.output));
  return Exit::kPass;
}

}  // namespace perfgate::cli
