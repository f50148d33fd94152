// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/machine_class.h"
#include "perfgate/gate/fleet/fleet.h"
#include "perfgate/verdict/fleet/merge.h"
#include "perfgate/verdict/gate/experiment.h"

namespace perfgate::gate {
namespace {

measure::ArmPlan ArmOfPlan(const JobRequest& request, const FleetArm& arm,
                           const std::string& path) {
  measure::ArmPlan plan = ExecutableArm(request.measure, arm.label, path.empty() ? arm.path : path);
  if (plan.executable.digest == arm.digest) return plan;
  throw Error(Exit::kNotComparable, "executable_mismatch: " + arm.label + ", " +
                                        plan.executable.path + ", is " + plan.executable.digest +
                                        ", and the plan is for " + arm.digest);
}

// The session of this job that is there already; none: it begins.
std::optional<Session> Begun(const JobRequest& request, const FleetJob& job) {
  const std::string& file = request.measure.session;
  if (!std::filesystem::exists(file)) return std::nullopt;
  Session session = read_session(file, request.measure.signer());
  if (session.fleet.plan == job.plan && session.fleet.job == job.job) return session;
  throw Error(Exit::kUsage, file +
                                " is there already and is not this job's session; give another "
                                "--session, or move it away");
}

void RequireThisMachine(const JobRequest& request, const Session& before, const Session& now) {
  const std::vector<std::string> differences =
      class_differences(class_fields(before.machine), class_fields(now.machine));
  if (differences.empty()) return;
  throw Error(Exit::kNotComparable,
              "hardware_mismatch: " + request.measure.session +
                  " was begun on a machine of another class (" + differences.front() +
                  "): go on there, or move the file away and measure the job from its beginning");
}

// The sessions of one job, whatever it took to measure them.
struct Job {
  Job(const FleetPlan& plan, const FleetJob& which, std::optional<Session> begun)
      : fleet(plan), part(which), before(std::move(begun)) {}

  int Done() const { return before ? static_cast<int>(before->rounds.size()) : 0; }

  // With the rounds that were there and the looks of the plan.
  Session Pooled(const Session& now) const {
    Session pooled = before && !before->rounds.empty() ? pool_attempts(*before, now) : now;
    pooled.fleet = part;
    pooled.suite = fleet.suite;
    pooled.schedule.looks = fleet.looks;
    pooled.schedule.look_alpha.assign(fleet.looks.size(), 0.0);
    return pooled;
  }

  const FleetPlan& fleet;
  FleetJob part;
  std::optional<Session> before;
};

Decider DeciderOf(const JobRequest& request, const Job& job) {
  return {.plan_looks =
              [&](Session& session, double) {
                if (job.before) RequireThisMachine(request, *job.before, session);
                for (const int look : job.fleet.looks) {
                  if (look <= job.Done()) continue;
                  session.schedule.looks.push_back(look - job.Done());
                  session.schedule.look_alpha.push_back(0.0);
                }
              },
          .open_cases =
              [&](const Session& session) {
                Session pooled = job.Pooled(session);
                pooled.complete = false;
                pooled.incomplete_reason = "the job has not ended";
                KeepSession(request.measure, pooled);
                return OpenCasesOfJob(pooled, job.fleet.look_alpha);
              }};
}

}  // namespace

Session MeasureJob(const JobRequest& request, GateDisplay& display) {
  if (request.measure.session.empty()) {
    throw Error(Exit::kUsage, "a job of a fleet is there to be merged: give it a --session FILE");
  }
  const FleetPlan fleet = read_fleet(request.plan);
  if (request.job < 1 || request.job > fleet.jobs) {
    throw Error(Exit::kUsage, "--job " + std::to_string(request.job) + ": the plan has jobs 1 to " +
                                  std::to_string(fleet.jobs));
  }
  const FleetJob part = {DigestOfPlan(fleet), request.job, fleet.jobs};
  const Job job(fleet, part, Begun(request, part));
  if (job.before && job.before->complete) {
    display.Say("perfgate: " + request.measure.session + ": job " + std::to_string(request.job) +
                " is measured already");
    return *job.before;
  }
  if (job.before) {
    display.Say("perfgate: " + request.measure.session + ": going on after " +
                std::to_string(job.Done()) + " rounds");
  }
  std::vector<measure::ArmPlan> arms;
  arms.push_back(ArmOfPlan(request, fleet.arms[0], request.baseline));
  arms.push_back(ArmOfPlan(request, fleet.arms[1], request.candidate));
  measure::MeasurePlan plan =
      PlanMeasurement(request.measure, fleet.policy, std::move(arms), OverLayouts::kNo);
  plan.suite = fleet.suite;
  plan.only.emplace();
  for (const FleetCase& one : fleet.cases) {
    if (one.job == request.job) plan.only->push_back(one.name);
  }
  const Decider decider = DeciderOf(request, job);
  const Session measured = measure::Measure(plan, HooksOf(decider, display));
  Session session = job.Pooled(measured);
  KeepSession(request.measure, session);
  return session;
}

}  // namespace perfgate::gate
