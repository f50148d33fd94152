// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/files/session_fields.h"
#include "perfgate/evidence/signature.h"

namespace perfgate::inline evidence {
namespace {

std::string at(const std::string& list, std::size_t index) {
  return list + "/" + std::to_string(index);
}

template <class Index>
void require_index(const std::string& where, const std::string& pointer, Index index,
                   std::size_t count, const std::string& list) {
  if (static_cast<std::size_t>(index) < count) return;
  contradict(where, pointer,
             std::to_string(index) + " points beyond " + list + ", which has " +
                 std::to_string(count) + " elements");
}

// Orders of `arms` arms; one arm is given two, so that its coin may be tossed as any other.
std::uint64_t permutations(std::size_t arms) {
  std::uint64_t count = 2;
  for (std::size_t i = 3; i <= arms && i <= 20; ++i) count *= i;
  return count;
}

void check_values(const Session& session, const CaseRound& round, const std::string& where,
                  const std::string& pointer) {
  require_size(where, pointer, round.values.size(), session.metrics.size(), "one per metric");
  for (std::size_t m = 0; m < round.values.size(); ++m) {
    const auto& arms = round.values[m];
    const std::string metric_pointer = at(pointer, m);
    require_size(where, metric_pointer, arms.size(), session.arms.size(), "one per arm");
    const bool positive = is_relative(session.metrics[m].kind);
    for (std::size_t a = 0; a < arms.size(); ++a) {
      const std::string arm_pointer = at(metric_pointer, a);
      require_size(where, arm_pointer, arms[a].size(), round.values[0][0].size(),
                   "slices form pairs, so every arm and metric has as many");
      for (std::size_t s = 0; positive && s < arms[a].size(); ++s) {
        if (arms[a][s] <= 0) {
          contradict(where, at(arm_pointer, s),
                     "a " + std::string(to_string(session.metrics[m].kind)) +
                         " must be above 0; absent values are null");
        }
      }
    }
  }
}

// Empty, or one per arm and slice.
void CheckSliceTimes(const Session& session, const CaseRound& round,
                     const std::vector<std::vector<double>>& times, const std::string& where,
                     const std::string& pointer) {
  if (times.empty()) return;
  require_size(where, pointer, times.size(), session.arms.size(), "one per arm");
  for (std::size_t a = 0; a < times.size(); ++a) {
    if (round.values.empty()) break;
    require_size(where, at(pointer, a), times[a].size(), round.values[0][a].size(),
                 "one per slice of /values");
  }
}

void check_unique(const std::vector<NamedValue>& values, const std::string& where,
                  const std::string& pointer) {
  UniqueNames names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    names.add(where, at(pointer, i) + "/name", values[i].name);
  }
}

void require_metric(const Session& session, const std::string& name, const std::string& where,
                    const std::string& pointer) {
  for (const Metric& metric : session.metrics) {
    if (metric.name == name) return;
  }
  contradict(where, pointer, "\"" + name + "\" is none of the session's metrics");
}

void check_case(const Session& session, std::size_t index, const std::string& where) {
  const CaseInfo& info = session.cases[index];
  const std::string pointer = at("/cases", index);
  check_unique(info.workload, where, pointer + "/workload");
  if (!info.arm_iterations.empty()) {
    require_size(where, pointer + "/arm_iterations", info.arm_iterations.size(),
                 session.arms.size(), "one per arm");
  }
  UniqueNames aggregates;
  for (std::size_t i = 0; i < info.aggregates.size(); ++i) {
    const std::string here = at(pointer + "/aggregates", i);
    aggregates.add(where, here, info.aggregates[i]);
    require_metric(session, info.aggregates[i], where, here);
  }
}

void check_round(const Session& session, const RoundInfo& round, std::size_t index,
                 const std::string& pointer, const std::string& where) {
  if (static_cast<std::size_t>(round.index) != index) {
    contradict(where, pointer + "/index",
               std::to_string(round.index) + " where " + std::to_string(index) +
                   " belongs: rounds were removed, added or reordered");
  }
  if (round.coin >= permutations(session.arms.size())) {
    contradict(where, pointer + "/coin",
               std::to_string(round.coin) + " is no permutation of " +
                   std::to_string(session.arms.size()) + " arms");
  }
  require_size(where, pointer + "/reference", round.reference.size(),
               session.reference_names.size(), "one per /reference_names");
  if (!round.layouts.empty()) {
    require_size(where, pointer + "/layouts", round.layouts.size(), session.arms.size(),
                 "one per arm");
  }
  std::set<std::size_t> seen;
  for (std::size_t c = 0; c < round.cases.size(); ++c) {
    const CaseRound& measured = round.cases[c];
    const std::string case_pointer = at(pointer + "/cases", c);
    require_index(where, case_pointer + "/case_index", measured.case_index, session.cases.size(),
                  "/cases");
    require_index(where, case_pointer + "/first_arm", measured.first_arm, session.arms.size(),
                  "/arms");
    if (!seen.insert(measured.case_index).second) {
      contradict(where, case_pointer + "/case_index", "this case stands twice in the round");
    }
    check_values(session, measured, where, case_pointer + "/values");
    CheckSliceTimes(session, measured, measured.slice_wall_s, where,
                    case_pointer + "/slice_wall_s");
    CheckSliceTimes(session, measured, measured.slice_timed_s, where,
                    case_pointer + "/slice_timed_s");
  }
}

void check_rounds(const Session& session, const std::vector<RoundInfo>& rounds,
                  const std::string& pointer, const std::string& where) {
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    check_round(session, rounds[i], i, at(pointer, i), where);
  }
}

void check_faults(const Session& session, const std::vector<Fault>& faults, std::size_t rounds,
                  const std::string& list, const std::string& where) {
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const Fault& fault = faults[i];
    const std::string pointer = at(list, i);
    // An executable that cannot be started has no cases to point to.
    if (fault.case_index != 0 || !session.cases.empty()) {
      require_index(where, pointer + "/case_index", fault.case_index, session.cases.size(),
                    "/cases");
    }
    require_index(where, pointer + "/arm", fault.arm, session.arms.size(), "/arms");
    if (!fault.metric.empty()) {
      require_metric(session, fault.metric, where, pointer + "/metric");
    }
    // The round in which an interrupted session was is not recorded.
    if (fault.round >= 0) {
      require_index(where, pointer + "/round", fault.round, rounds + 1, "the rounds");
    }
  }
}

// Jobs of one plan, each once.
void check_parts(const Session& session, const std::string& where) {
  const FleetJob& fleet = session.fleet;
  if (fleet.job > fleet.jobs) {
    contradict(where, "/fleet/job",
               "is " + std::to_string(fleet.job) + " of " + std::to_string(fleet.jobs) + " jobs");
  }
  std::set<int> jobs;
  for (std::size_t i = 0; i < session.parts.size(); ++i) {
    const MergedPart& part = session.parts[i];
    const std::string pointer = at("/parts", i) + "/job";
    if (!jobs.insert(part.job).second) contradict(where, pointer, "this job stands twice");
    if (part.job > fleet.jobs) {
      contradict(where, pointer, "is beyond the " + std::to_string(fleet.jobs) + " of /fleet/jobs");
    }
  }
}

void check_layout_stage(const Session& session, const LayoutStage& stage,
                        const std::string& pointer, const std::string& where) {
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < stage.cases.size(); ++i) {
    const std::string here = at(pointer + "/cases", i);
    require_index(where, here, stage.cases[i], session.cases.size(), "/cases");
    if (!seen.insert(stage.cases[i]).second) contradict(where, here, "this case stands twice");
  }
  require_size(where, pointer + "/arms", stage.arms.size(), session.arms.size(),
               "one per arm of the session");
  check_looks(stage.schedule.looks, stage.schedule.look_alpha, pointer + "/schedule", where);
  check_rounds(session, stage.rounds, pointer + "/rounds", where);
  check_faults(session, stage.faults, stage.rounds.size(), pointer + "/faults", where);
}

}  // namespace

void check_looks(const std::vector<int>& looks, const std::vector<double>& look_alpha,
                 const std::string& pointer, const std::string& where) {
  require_size(where, pointer + "/look_alpha", look_alpha.size(), looks.size(), "one per look");
  for (std::size_t i = 1; i < looks.size(); ++i) {
    if (looks[i] <= looks[i - 1]) contradict(where, at(pointer + "/looks", i), "looks must rise");
  }
}

void check_schedule(const Schedule& schedule, const std::string& where) {
  check_looks(schedule.looks, schedule.look_alpha, "/schedule", where);
}

void check_session(const Session& session, const std::string& where) {
  if (session.arms.empty()) contradict(where, "/arms", "a session has at least one arm");
  UniqueNames metrics;
  for (std::size_t i = 0; i < session.metrics.size(); ++i) {
    metrics.add(where, at("/metrics", i) + "/name", session.metrics[i].name);
  }
  UniqueNames cases;
  for (std::size_t i = 0; i < session.cases.size(); ++i) {
    cases.add(where, at("/cases", i) + "/name", session.cases[i].name);
    check_case(session, i, where);
  }
  check_unique(session.environment, where, "/environment");
  check_unique(session.unstated, where, "/unstated");
  for (std::size_t i = 0; i < session.unknown_metrics.size(); ++i) {
    require_metric(session, session.unknown_metrics[i], where, at("/unknown_metrics", i));
  }
  check_schedule(session.schedule, where);
  check_rounds(session, session.rounds, "/rounds", where);
  check_faults(session, session.faults, session.rounds.size(), "/faults", where);
  check_parts(session, where);
  if (session.confirmation.size() > 1) {
    contradict(where, "/confirmation", "a session has at most one second stage");
  }
  for (std::size_t i = 0; i < session.confirmation.size(); ++i) {
    check_layout_stage(session, session.confirmation[i], at("/confirmation", i), where);
  }
}

std::string session_to_json(const Session& session) { return write_format(session); }

Session session_from_json(std::string_view text, const std::string& where) {
  auto session = read_format<Session>(text, where);
  check_session(session, where);
  return session;
}

void write_session(const std::string& path, const Session& session, const SecretKey* key) {
  const std::string text = session_to_json(session);
  write_file_atomically(path, key == nullptr ? text : WithSignature(text, path, *key));
}

Session read_session(const std::string& path, const SecretKey* key) {
  const std::string text = ReadInputFile(path, kSessionFile);
  RequireSignature(text, path, key);
  return session_from_json(text, path);
}

}  // namespace perfgate::inline evidence
