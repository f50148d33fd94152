// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/fleet/merge_check.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/machine_class.h"

namespace perfgate::inline verdict {
namespace {

[[noreturn]] void Refuse(const JobSession& job, const std::string& what) {
  throw Error(Exit::kNotComparable, job.file + ": " + what);
}

[[noreturn]] void Contradict(const JobSession& job, const std::string& what) {
  throw Error(Exit::kInvalid, job.file + ": " + what);
}

std::string JobText(int job, int jobs) {
  return "job " + std::to_string(job) + " of " + std::to_string(jobs);
}

void RequireThisPlan(const FleetPlan& plan, const std::string& digest, const JobSession& job) {
  const FleetJob& fleet = job.session.fleet;
  if (fleet.plan.empty()) {
    Refuse(job, "not a job of a fleet: measure it with perfgate run --fleet PLAN --job N");
  }
  if (fleet.job == 0) Refuse(job, "is merged already; give the sessions of the jobs");
  if (fleet.plan != digest) {
    Refuse(job, "is a job of another plan (" + fleet.plan.substr(0, 19) + " against " +
                    digest.substr(0, 19) + "): merge sessions with the plan that they ran under");
  }
  if (fleet.jobs != plan.jobs || fleet.job > plan.jobs) {
    Contradict(job, "says that it is " + JobText(fleet.job, fleet.jobs) + ", and the plan has " +
                        std::to_string(plan.jobs));
  }
}

void RequireArms(const FleetPlan& plan, const JobSession& job) {
  const std::vector<ArmInfo>& arms = job.session.arms;
  if (arms.size() != plan.arms.size()) Contradict(job, "has not the two arms of the plan");
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    if (arms[arm].digest == plan.arms[arm].digest) continue;
    Refuse(job, "executable_mismatch: " + plan.arms[arm].label + " is " + arms[arm].digest +
                    " here and " + plan.arms[arm].digest + " in the plan");
  }
}

void RequireCases(const FleetPlan& plan, const JobSession& job) {
  std::set<std::string> wanted;
  for (const FleetCase& one : plan.cases) {
    if (one.job == job.session.fleet.job) wanted.insert(one.name);
  }
  std::set<std::string> found;
  for (const CaseInfo& info : job.session.cases) found.insert(info.name);
  if (found == wanted) return;
  for (const std::string& name : wanted) {
    if (!found.contains(name)) Contradict(job, "lacks the case '" + name + "' of its job");
  }
  for (const std::string& name : found) {
    if (!wanted.contains(name)) Contradict(job, "has the case '" + name + "' of another job");
  }
}

std::string PolicyText(const Policy& policy) { return policy_to_json(policy); }

void RequireSchedule(const FleetPlan& plan, const JobSession& job) {
  const Session& session = job.session;
  if (PolicyText(session.policy) != PolicyText(plan.policy)) {
    Refuse(job, "policy_mismatch: it was measured under another policy than the plan's");
  }
  if (session.rounds.empty()) return;  // nothing was measured, and nothing was looked at
  if (session.schedule.looks != plan.looks) Contradict(job, "has other looks than the plan");
  if (std::cmp_greater(session.rounds.size(), plan.looks.empty() ? 0 : plan.looks.back())) {
    Contradict(job, "has more rounds than the plan");
  }
}

void RequireOneKind(const JobSession& first, const JobSession& job) {
  const std::vector<std::string> differences =
      class_differences(class_fields(first.session.machine), class_fields(job.session.machine));
  if (!differences.empty()) {
    Refuse(job, "hardware_mismatch: " + differences.front() + ", where " + first.file +
                    " ran: jobs of one fleet need machines of one class");
  }
  if (first.session.tool != job.session.tool) {
    Refuse(job,
           "measured by " + job.session.tool + ", and " + first.file + " by " + first.session.tool);
  }
  for (std::size_t arm = 0; arm < first.session.arms.size(); ++arm) {
    const ArmInfo& one = first.session.arms[arm];
    const ArmInfo& other = job.session.arms[arm];
    if (one.driver == other.driver && one.library == other.library && one.build == other.build &&
        one.layouts == other.layouts && one.arguments == other.arguments &&
        one.environment == other.environment) {
      continue;
    }
    Refuse(job, "plan_mismatch: " + one.label + " was run in another way than in " + first.file);
  }
  if (first.session.trust != job.session.trust) {
    Refuse(job, "trust_mismatch: its arms were isolated in another way than in " + first.file);
  }
}

}  // namespace

std::vector<const JobSession*> CheckedJobs(const FleetPlan& plan,
                                           std::span<const JobSession> jobs) {
  const std::string digest = DigestOfPlan(plan);
  std::vector<const JobSession*> sorted(static_cast<std::size_t>(plan.jobs), nullptr);
  for (const JobSession& job : jobs) {
    RequireThisPlan(plan, digest, job);
    const JobSession*& place = sorted[static_cast<std::size_t>(job.session.fleet.job) - 1];
    if (place != nullptr) {
      Refuse(job, JobText(job.session.fleet.job, plan.jobs) + " is there already, in " +
                      place->file + ": a job has one session, whichever looks better");
    }
    place = &job;
  }
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != nullptr) continue;
    throw Error(Exit::kNotComparable,
                JobText(static_cast<int>(i) + 1, plan.jobs) +
                    " is missing: run it again (perfgate run --fleet PLAN --job " +
                    std::to_string(i + 1) + ") and give its session too");
  }
  for (const JobSession* job : sorted) {
    RequireArms(plan, *job);
    RequireCases(plan, *job);
    RequireSchedule(plan, *job);
    RequireOneKind(*sorted.front(), *job);
  }
  return sorted;
}

}  // namespace perfgate::inline verdict
