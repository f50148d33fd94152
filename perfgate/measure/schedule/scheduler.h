// SPDX-License-Identifier: Apache-2.0
// scheduler.h: measures one or several executables in rounds so that what moves them together
// cancels.
//
// Every round launches every arm anew, once or for each of several sets of cases. In a round a coin
// (the seed's) decides which arm takes which role: launch order, first slot, path. Cases come in
// random order; each is warmed up in every arm and then measured in alternated slices (A B B A A B
// B A). All arms share the quietest core; the arms that are not measured are blocked, and a slice
// during which one of them used the core does not count and is repeated. Iterations are calibrated
// once, on the first arm, for all.
//
// What is not decided here: which rounds are looks and which cases need no more rounds. The hooks
// say so, so that the same scheduler serves `run`, `gate` and simulations.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/driver/driver.h"

namespace perfgate::measure {

// A case of an arm under the name that it has in the session.
struct ShownCase {
  std::string name;
  std::size_t id = 0;  // index into the arm's own Listing::cases
};

struct ArmPlan {
  std::string label;
  Executable executable;
  // What the arm offers under which names; none: its cases under their own. With it two arms can be
  // one executable: cases of it that differ in an option are compared as arms.
  std::function<std::vector<ShownCase>(const Listing&)> view{};
};

struct Progress {
  enum class Phase { kListing, kWaitingForCore, kCalibrating, kRound };
  Phase phase = Phase::kListing;
  int round = 0;               // rounds finished
  int last_round = 0;          // rounds at the last look, 0 when unknown
  std::size_t cases_done = 0;  // within the phase
  std::size_t cases_open = 0;  // still measured
  std::size_t cases = 0;
  double elapsed_s = 0;
  double left_s = 0;  // of the budget; negative when there is none
  std::string note;
};

struct Hooks {
  // After calibration, before the first round: the rounds after which `open_cases` is asked, in
  // ascending order; the last one ends the session. The session has cases, faults and
  // schedule.round_s (predicted wall time of a full round); left_s is what the budget still has,
  // infinite when the policy names the rounds.
  std::function<void(Session& session, double left_s)> plan_looks;
  // After each of those rounds: true per case where it needs more rounds.
  std::function<std::vector<bool>(const Session& session, int rounds)> open_cases;
  std::function<void(const Progress& progress)> progress;
};

struct MeasurePlan {
  std::vector<ArmPlan> arms;
  bool compare = true;  // arms are to be compared: a case that one of them lacks is not measured
  // An arm that the others are compared without as well: where it fails or lacks a case, the rest
  // goes on. Iterations are calibrated on another one. -1: none.
  int spare_arm = -1;
  // The name of the launch that a case belongs to, by the name of the case: every round launches
  // the arms anew for each of these names. Empty: one launch for all cases. What a process has done
  // before counts: on an H100 its first three engines are 3 % faster than the later ones.
  std::function<std::string(const std::string&)> launch_of{};
  Policy policy;
  std::string suite;
  std::string tool;
  bool list_only = false;             // list the cases and measure nothing
  bool reference = false;             // time the reference workload in every round
  std::optional<std::uint64_t> seed;  // replays coins and orders; drawn when absent
  std::vector<int> cpus;              // asked for; empty: the quietest is chosen
};

// Measures until the hooks say that nothing is open, the budget ends or the user interrupts. An
// interruption returns the session so far with complete = false. Arms' failures are faults in the
// session. Throws Error when there is nothing to measure: unreadable executables, incompatible
// protocol versions, an invalid filter or cores that cannot be had.
Session measure(const MeasurePlan& plan, const Hooks& hooks);

}  // namespace perfgate::measure
