// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/fleet/merge.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/sha256.h"
#include "perfgate/base/text/join.h"
#include "perfgate/verdict/fleet/merge_check.h"
#include "perfgate/verdict/gate/gate.h"

namespace perfgate::inline verdict {
namespace {

using Jobs = std::vector<const JobSession*>;

// Where a job's cases and metrics stand in the merged session.
struct Places {
  std::vector<std::size_t> cases;
  std::vector<std::size_t> metrics;
};

void AddMetrics(const JobSession& job, Session& merged, Places& places) {
  for (const Metric& metric : job.session.metrics) {
    const auto known = std::find_if(merged.metrics.begin(), merged.metrics.end(),
                                    [&](const Metric& m) { return m.name == metric.name; });
    places.metrics.push_back(static_cast<std::size_t>(known - merged.metrics.begin()));
    if (known == merged.metrics.end()) {
      merged.metrics.push_back(metric);
    } else if (!(*known == metric)) {
      throw Error(Exit::kNotComparable, job.file + ": metric_mismatch: '" + metric.name +
                                            "' means something else than in another job");
    }
  }
}

void AddUnique(const std::vector<std::string>& more, std::vector<std::string>& list) {
  for (const std::string& text : more) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
  }
}

// values[metric][arm][slice] under the merged metrics, absent where the job does not know one.
CaseRound Moved(const CaseRound& round, const Places& places, std::size_t metrics) {
  CaseRound moved = round;
  moved.case_index = places.cases[round.case_index];
  std::vector<std::vector<double>> absent;
  for (const std::vector<double>& slices : round.values.front()) {
    absent.emplace_back(slices.size(), std::numeric_limits<double>::quiet_NaN());
  }
  moved.values.assign(metrics, absent);
  for (std::size_t m = 0; m < round.values.size(); ++m) {
    moved.values[places.metrics[m]] = round.values[m];
  }
  return moved;
}

// The worse of both; negative is not known.
void AddConditions(const RoundConditions& more, RoundConditions& worst) {
  worst.steal_share = std::max(worst.steal_share, more.steal_share);
  worst.foreign_share = std::max(worst.foreign_share, more.foreign_share);
  worst.load = std::max(worst.load, more.load);
  const bool known = worst.mhz >= 0 && more.mhz >= 0;
  worst.mhz = known ? std::min(worst.mhz, more.mhz) : std::max(worst.mhz, more.mhz);
  worst.voluntary_switches = std::max(worst.voluntary_switches, more.voluntary_switches);
  worst.involuntary_switches = std::max(worst.involuntary_switches, more.involuntary_switches);
}

void AddRound(const RoundInfo& round, const Places& places, Session& merged) {
  const auto index = static_cast<std::size_t>(round.index);
  const bool is_new = merged.rounds.size() <= index;
  if (is_new) {
    merged.rounds.push_back(round);
    merged.rounds.back().cases.clear();
  }
  RoundInfo& into = merged.rounds[index];
  for (const CaseRound& measured : round.cases) {
    into.cases.push_back(Moved(measured, places, merged.metrics.size()));
  }
  if (is_new) return;
  into.wall_s += round.wall_s;
  into.started_s = std::min(into.started_s, round.started_s);
  AddConditions(round.conditions, into.conditions);
  into.cpus.insert(into.cpus.end(), round.cpus.begin(), round.cpus.end());
  std::sort(into.cpus.begin(), into.cpus.end());
  into.cpus.erase(std::unique(into.cpus.begin(), into.cpus.end()), into.cpus.end());
}

MergedPart PartOf(const Session& session) {
  MergedPart part{.job = session.fleet.job,
                  .session_id = session.id,
                  .started = session.started,
                  .hostname = session.machine.hostname,
                  .seed = session.schedule.seed,
                  .wall_s = session.wall_s};
  for (const RoundInfo& round : session.rounds) part.coins.push_back(round.coin);
  return part;
}

void AddJob(const JobSession& job, const Places& places, Session& merged) {
  const Session& session = job.session;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    merged.cases[places.cases[c]] = session.cases[c];
  }
  for (const RoundInfo& round : session.rounds) AddRound(round, places, merged);
  for (Fault fault : session.faults) {
    fault.case_index = places.cases.at(fault.case_index);
    merged.faults.push_back(std::move(fault));
  }
  AddUnique(session.warnings, merged.warnings);
  AddUnique(session.unknown_metrics, merged.unknown_metrics);
  merged.wall_s += session.wall_s;
  merged.timed_s += session.timed_s;
  merged.nice = std::max(merged.nice, session.nice);
  merged.started = std::min(merged.started, session.started);
  if (session.grade == "paired_serial") merged.grade = session.grade;
  if (!session.complete) {
    merged.complete = false;
    merged.incomplete_reason = job.file + ": " + session.incomplete_reason;
  }
  merged.parts.push_back(PartOf(session));
}

// What holds of the whole: the first job's, where all agree.
Session Frame(const FleetPlan& plan, const Jobs& jobs) {
  const Session& first = jobs.front()->session;
  Session merged;
  merged.tool = first.tool;
  merged.started = first.started;
  merged.suite = plan.suite;
  merged.complete = true;
  merged.grade = first.grade;
  merged.policy = plan.policy;
  merged.machine = first.machine;
  merged.environment = first.environment;
  merged.arms = first.arms;
  merged.trust = first.trust;
  merged.fleet = {first.fleet.plan, 0, plan.jobs};
  merged.schedule.looks = plan.looks;
  merged.schedule.look_alpha = plan.look_alpha;
  merged.cases.resize(plan.cases.size());
  std::vector<std::string> hosts;
  std::string ids = first.fleet.plan;
  for (const JobSession* job : jobs) {
    ids += "\n" + job->session.id;
    AddUnique({job->session.machine.hostname}, hosts);
    merged.schedule.round_s += job->session.schedule.round_s;
  }
  merged.machine.hostname = Join(hosts);
  constexpr std::size_t kPrefix = 7;  // "sha256:"
  const std::string digits = sha256_digest(ids).substr(kPrefix);
  merged.id = digits.substr(0, 32);
  merged.schedule.seed = digits.substr(32, 16);
  return merged;
}

// The rounds that one gate on the whole suite would have measured: a case leaves at the look that
// decides it.
void LeaveOutDecided(Session& merged) {
  for (const int look : merged.schedule.looks) {
    const auto reached = static_cast<std::size_t>(look);
    if (reached >= merged.rounds.size()) break;
    Session then = merged;
    then.rounds.resize(reached);
    std::erase_if(then.faults, [&](const Fault& fault) { return fault.round >= look; });
    const std::vector<bool> open = open_cases(then);
    for (std::size_t r = reached; r < merged.rounds.size(); ++r) {
      std::erase_if(merged.rounds[r].cases,
                    [&](const CaseRound& round) { return !open[round.case_index]; });
    }
  }
  int last_fault = -1;
  for (const Fault& fault : merged.faults) last_fault = std::max(last_fault, fault.round);
  while (!merged.rounds.empty() && merged.rounds.back().cases.empty() &&
         merged.rounds.back().index > last_fault) {
    merged.rounds.pop_back();
  }
}

}  // namespace

std::vector<bool> OpenCasesOfJob(const Session& session, std::span<const double> look_alpha) {
  std::vector<bool> open = open_cases(session);
  Session with_levels = session;
  with_levels.schedule.look_alpha.assign(look_alpha.begin(), look_alpha.end());
  const std::vector<bool> unclaimed = open_cases(with_levels);
  for (std::size_t c = 0; c < open.size(); ++c) open[c] = open[c] || unclaimed[c];
  return open;
}

Session MergeJobs(const FleetPlan& plan, std::span<const JobSession> sessions) {
  const Jobs jobs = CheckedJobs(plan, sessions);
  Session merged = Frame(plan, jobs);
  std::map<std::string, std::size_t> index;
  for (std::size_t c = 0; c < plan.cases.size(); ++c) index[plan.cases[c].name] = c;
  std::vector<Places> places(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (const CaseInfo& info : jobs[i]->session.cases) {
      places[i].cases.push_back(index.at(info.name));
    }
    AddMetrics(*jobs[i], merged, places[i]);
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) AddJob(*jobs[i], places[i], merged);
  LeaveOutDecided(merged);
  return merged;
}

}  // namespace perfgate::inline verdict
