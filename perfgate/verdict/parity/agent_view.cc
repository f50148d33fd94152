// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/agent_view.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/evidence/parity.h"
#include "perfgate/verdict/arms.h"
#include "perfgate/verdict/faults.h"

namespace perfgate::inline verdict {
namespace {

using ArmsOfView = std::array<std::size_t, 3>;

std::optional<int> PlaceOfArm(const ArmsOfView& arms, int arm) {
  const auto found = std::find(arms.begin(), arms.end(), static_cast<std::size_t>(arm));
  if (found == arms.end()) return std::nullopt;
  return static_cast<int>(found - arms.begin());
}

// By case and arm of the view.
using InView = std::vector<std::array<bool, 3>>;

struct Absences {
  InView absent;   // the arm lacks the case
  InView unknown;  // a fault that the arm had before the first round, of any other kind
};

Absences AbsencesOf(const Session& whole, const ArmsOfView& arms) {
  Absences found = {InView(whole.cases.size()), InView(whole.cases.size())};
  for (const Fault& fault : whole.faults) {
    const auto place = PlaceOfArm(arms, fault.arm);
    if (!place || fault.round >= 0 || IsNobodysFault(fault.kind)) continue;
    InView& kind = fault.kind == FaultKind::kAbsent ? found.absent : found.unknown;
    kind[fault.case_index][static_cast<std::size_t>(*place)] = true;
  }
  return found;
}

// An arm that could not be listed: it has a fault of every case, and none that it lacks.
std::array<bool, 3> BrokenArms(const InView& unknown) {
  std::array<bool, 3> broken = {};
  for (std::size_t arm = 0; arm < broken.size(); ++arm) {
    broken[arm] = !unknown.empty() && std::all_of(unknown.begin(), unknown.end(),
                                                  [&](const auto& of) { return of[arm]; });
  }
  return broken;
}

// Cases that the view is about: some arm of it offers the case, or the policy expects it.
std::vector<std::size_t> CasesOfView(const Session& whole, const ArmsOfView& arms) {
  const Absences found = AbsencesOf(whole, arms);
  const std::array<bool, 3> broken = BrokenArms(found.unknown);
  const bool is_nothing_known =
      std::all_of(broken.begin(), broken.end(), [](bool is_broken) { return is_broken; });
  const std::set<std::string> expected(whole.policy.expected.begin(), whole.policy.expected.end());
  std::vector<std::size_t> cases;
  for (std::size_t c = 0; c < whole.cases.size(); ++c) {
    bool is_offered = is_nothing_known || expected.contains(whole.cases[c].name);
    for (std::size_t arm = 0; arm < broken.size(); ++arm) {
      is_offered = is_offered || (!broken[arm] && !found.absent[c][arm]);
    }
    if (is_offered) cases.push_back(c);
  }
  return cases;
}

// Of a list by arm the part of the view; an empty list, of what is not known, stays empty.
template <class T>
std::vector<T> Chosen(const std::vector<T>& by_arm, const ArmsOfView& arms) {
  std::vector<T> chosen;
  for (const std::size_t arm : arms) {
    if (arm < by_arm.size()) chosen.push_back(by_arm[arm]);
  }
  return chosen;
}

CaseRound RoundInView(const CaseRound& whole, std::size_t case_index, const ArmsOfView& arms) {
  CaseRound round;
  round.case_index = case_index;
  // Another agent may have had the first slot; that the view has none is said as its first arm.
  round.first_arm = PlaceOfArm(arms, whole.first_arm).value_or(0);
  round.void_slices = whole.void_slices;
  round.values.reserve(whole.values.size());
  for (const auto& by_arm : whole.values) round.values.push_back(Chosen(by_arm, arms));
  round.slice_wall_s = Chosen(whole.slice_wall_s, arms);
  round.slice_timed_s = Chosen(whole.slice_timed_s, arms);
  return round;
}

RoundInfo FrameOfRound(const RoundInfo& whole, const ArmsOfView& arms) {
  RoundInfo round;
  round.index = whole.index;
  round.cpus = whole.cpus;
  round.started_s = whole.started_s;
  round.wall_s = whole.wall_s;
  round.conditions = whole.conditions;
  round.reference = whole.reference;
  round.layouts = Chosen(whole.layouts, arms);
  return round;
}

// All but cases, rounds and faults.
Session FrameOfView(const Session& whole, const ArmsOfView& arms) {
  Session view;
  view.id = whole.id;
  view.tool = whole.tool;
  view.started = whole.started;
  view.suite = whole.suite;
  view.complete = whole.complete;
  view.incomplete_reason = whole.incomplete_reason;
  view.grade = whole.grade;
  view.wall_s = whole.wall_s;
  view.timed_s = whole.timed_s;
  view.policy = whole.policy;
  view.schedule = whole.schedule;
  view.machine = whole.machine;
  view.environment = whole.environment;
  view.unstated = whole.unstated;
  view.nice = whole.nice;
  view.metrics = whole.metrics;
  view.unknown_metrics = whole.unknown_metrics;
  view.reference_names = whole.reference_names;
  view.arms = Chosen(whole.arms, arms);
  view.origins = whole.origins;
  view.warnings = whole.warnings;
  view.hot_code = whole.hot_code;
  view.trust = whole.trust;
  view.fleet = whole.fleet;
  view.parts = whole.parts;
  return view;
}

}  // namespace

void RequireParityArms(const Session& session) {
  std::set<std::string> labels;
  bool as_expected = session.arms.size() >= kParityArms.size();
  for (std::size_t i = 0; as_expected && i < session.arms.size(); ++i) {
    const std::string& label = session.arms[i].label;
    as_expected = (i >= kAgent || label == kParityArms[i]) && labels.insert(label).second;
  }
  if (as_expected) return;
  throw Error(Exit::kData,
              "parity needs a session of the arms baseline, human and agent, in this order. Record "
              "it with `perfgate parity --session FILE`.");
}

std::size_t AgentCount(const Session& session) {
  return session.arms.size() < kParityArms.size() ? 0 : session.arms.size() - kAgent;
}

AgentView ViewOfAgent(const Session& whole, std::size_t agent) {
  const ArmsOfView arms = {kBaseline, kHuman, kAgent + agent};
  AgentView view{FrameOfView(whole, arms), CasesOfView(whole, arms)};
  std::vector<std::optional<std::size_t>> place(whole.cases.size());
  for (std::size_t i = 0; i < view.cases.size(); ++i) {
    place[view.cases[i]] = i;
    CaseInfo& info = view.session.cases.emplace_back(whole.cases[view.cases[i]]);
    info.arm_iterations = Chosen(info.arm_iterations, arms);
  }
  for (const RoundInfo& round : whole.rounds) {
    RoundInfo& shown = view.session.rounds.emplace_back(FrameOfRound(round, arms));
    for (const CaseRound& measured : round.cases) {
      const auto at = place[measured.case_index];
      if (at) shown.cases.push_back(RoundInView(measured, *at, arms));
    }
  }
  for (const Fault& fault : whole.faults) {
    const auto at = place[fault.case_index];
    const auto arm = PlaceOfArm(arms, fault.arm);
    if (!at || !arm) continue;
    Fault& shown = view.session.faults.emplace_back(fault);
    shown.case_index = *at;
    shown.arm = *arm;
  }
  return view;
}

}  // namespace perfgate::inline verdict
