// SPDX-License-Identifier: Apache-2.0
// plan.h: what is measured and how, and what is asked of whoever decides meanwhile. Values only: it
// includes nothing of measure but the executable's description.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/executable.h"

namespace perfgate::measure {

class Isolation;  // isolation/isolation.h
struct Command;   // command.h
struct Listing;   // listing.h

// A case of an arm under the name that it has in the session.
struct ShownCase {
  std::string name;
  std::size_t id = 0;  // index into the arm's own Listing::cases
};

// An executable that is the arm's own program in another layout.
struct LayoutPlan {
  int seed = 0;
  Executable executable;
};

struct ArmPlan {
  std::string label;
  Executable executable;
  // What the arm offers under which names; none: its cases under their own. With it two arms can be
  // one executable: cases of it that differ in an option are compared as arms.
  std::function<std::vector<ShownCase>(const Listing&)> view{};
  std::shared_ptr<const Command> command{};  // the arm is a command line and no benchmark
  std::vector<std::string> arguments{};      // that every launch is given
  std::vector<std::pair<std::string, std::string>> environment{};  // set for every launch
  std::string cases{};           // which of its cases `view` shows, as it was asked for
  std::string layouts_folder{};  // where layouts of it lie; empty: there are none
  // Not empty: every round runs one of these instead of the executable, which is only listed and
  // calibrated. Each is run once, in random order, unless the policy lets rounds reuse them.
  std::vector<LayoutPlan> layouts{};
  std::string layouts_digest{};  // of the set, for the session
  bool only_listed = false;      // its cases are known, and nothing of it is measured
  // Not empty: there is no executable, for this reason. Every case of the others has it as a fault.
  std::string absent{};
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
  // After calibration: may cut pairs, warm-up and slices of the session's cases, and names the
  // budget (schedule.budget_s). spent_s: what calibration took of it. Absent: all as the policy
  // says.
  std::function<void(Session& session, double spent_s)> plan_rounds;
  // After that, before the first round: the rounds after which `open_cases` is asked, in
  // ascending order; the last one ends the session. The session has cases, faults and
  // schedule.round_s (predicted wall time of a full round); left_s is what the budget still has,
  // infinite when the policy names the rounds.
  std::function<void(Session& session, double left_s)> plan_looks;
  // After each of those rounds: true per case where it needs more rounds.
  std::function<std::vector<bool>(const Session& session, int rounds)> open_cases;
  std::function<void(const Progress& progress)> progress;
};

inline constexpr int kEveryArm = -2;

struct MeasurePlan {
  std::vector<ArmPlan> arms;
  bool compare = true;  // arms are to be compared: a case that one of them lacks is not measured
  // The arms differ on purpose: cases that declare other work are compared all the same.
  bool alternatives = false;
  // An arm that the others are compared without as well: where it fails or lacks a case, the rest
  // goes on. Iterations are calibrated on another one. -1: none. kEveryArm: whichever fails, as
  // long as two are left.
  int optional_arm = -1;
  // Arms of which a case needs one. Each of them is optional too: where one fails or lacks a case,
  // the rest goes on as long as another of them is left. Empty: none.
  std::vector<int> any_of{};
  // The name of the launch that a case belongs to, by the name of the case: every round launches
  // the arms anew for each of these names. Empty: one launch for all cases. What a process has done
  // before counts: on an H100 its first three engines are 3 % faster than the later ones.
  std::function<std::string(const std::string&)> launch_of{};
  Policy policy;
  std::optional<std::vector<std::string>> only;  // measure just the cases of these names
  std::vector<std::string> warnings;             // for the session
  std::string suite;
  std::string tool;
  bool list_only = false;             // list the cases and measure nothing
  bool reference = false;             // time the reference workload in every round
  std::optional<std::uint64_t> seed;  // replays coins and orders; drawn when absent
  std::vector<int> cpus;              // asked for; empty: the quietest is chosen
  // Library that makes unmodified executables workers (driver/preload.h); empty: they are run by
  // processes.
  std::string worker_shim;
  std::uint64_t memory_bytes = 0;                // that an arm may use; 0: no limit
  std::shared_ptr<const Isolation> isolation{};  // of every launch; none: arms run as we do
};

inline bool IsOptional(const MeasurePlan& plan, int arm) {
  return plan.optional_arm == arm || plan.optional_arm == kEveryArm ||
         std::find(plan.any_of.begin(), plan.any_of.end(), arm) != plan.any_of.end();
}

// Whether a case with these of `arms` arms is worth measuring. has(arm): the case still has it.
template <class Has>
bool HasEnoughArms(const MeasurePlan& plan, std::size_t arms, const Has& has) {
  const std::size_t fewest = plan.optional_arm == kEveryArm ? 2 : 1;
  std::size_t count = 0;
  for (std::size_t arm = 0; arm < arms; ++arm) count += has(arm) ? 1 : 0;
  const bool any = std::any_of(plan.any_of.begin(), plan.any_of.end(),
                               [&](int arm) { return has(static_cast<std::size_t>(arm)); });
  return count >= fewest && (any || plan.any_of.empty());
}

inline bool HasEnoughArms(const MeasurePlan& plan,
                          const std::vector<std::optional<std::size_t>>& ids) {
  return HasEnoughArms(plan, ids.size(), [&](std::size_t arm) { return ids[arm].has_value(); });
}

}  // namespace perfgate::measure
