// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/scheduler.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>

#include "perfgate/base/error.h"
#include "perfgate/base/os/entropy.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/measure/cpu/cpu_lease.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/measure/machine/reference_workload.h"
#include "perfgate/measure/machine/round_probe.h"
#include "perfgate/measure/schedule/calibrate.h"
#include "perfgate/measure/schedule/inspect.h"
#include "perfgate/measure/schedule/launches.h"
#include "perfgate/measure/schedule/list_arms.h"
#include "perfgate/measure/schedule/round.h"
#include "perfgate/measure/schedule/round_cost.h"
#include "perfgate/measure/schedule/stage.h"

namespace perfgate::measure {
namespace {

constexpr int kArmNice = -20;          // where permitted: other processes get about 1 % of the core
constexpr double kLookOverrun = 0.05;  // of the budget
constexpr double kNoBudget = std::numeric_limits<double>::infinity();

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// The p-th permutation of 0..arms-1 in lexicographic order; for two arms 0 is (0,1), 1 is (1,0).
std::vector<int> permutation(std::uint64_t p, int arms) {
  std::vector<int> order(static_cast<std::size_t>(arms));
  std::iota(order.begin(), order.end(), 0);
  while (p-- > 0) std::next_permutation(order.begin(), order.end());
  return order;
}

std::uint64_t permutations(int arms) {
  std::uint64_t count = 1;
  for (int i = 2; i <= arms; ++i) count *= static_cast<std::uint64_t>(i);
  return count;
}

// Tried on this thread and undone: the arms are not there yet, and what is permitted depends on
// capabilities, limits and the container.
bool may_raise_priority() {
  const int before = getpriority(PRIO_PROCESS, 0);
  if (setpriority(PRIO_PROCESS, 0, kArmNice) != 0) return false;
  setpriority(PRIO_PROCESS, 0, before);
  return true;
}

class Measurement {
 public:
  Measurement(const MeasurePlan& plan, const Hooks& hooks)
      : plan_(plan), hooks_(hooks), slots_(paths(plan)), context_{plan, {},     {},      {}, {},
                                                                  0,    slots_, folder_, {}} {}

  Session run() {
    begin();
    report(Progress::Phase::kListing, 0);
    list_arms(context_, session_);
    if (plan_.list_only) {
      session_.complete = true;
      return std::move(session_);
    }
    lease_cores();
    try {
      const SelfAffinity elsewhere(context_.cpus);
      calibrate();
      inspect_gpu_arms(context_, session_, open_);
      hooks_.plan_looks(session_, left_s());
      measure_rounds();
      session_.complete = true;
    } catch (const Interrupted& interruption) {
      session_.incomplete_reason = interruption.what();
    }
    session_.wall_s = elapsed_s();
    return std::move(session_);
  }

 private:
  static std::vector<std::string> paths(const MeasurePlan& plan) {
    std::vector<std::string> paths;
    for (const ArmPlan& arm : plan.arms) paths.push_back(arm.executable.path);
    return paths;
  }

  int arms() const { return static_cast<int>(plan_.arms.size()); }
  double elapsed_s() const { return seconds_since(start_); }
  double left_s() const {
    return plan_.policy.rounds > 0 ? kNoBudget : plan_.policy.budget_s - elapsed_s();
  }

  void report(Progress::Phase phase, std::size_t done, std::string note = {}) const {
    if (!hooks_.progress) return;
    Progress progress;
    progress.phase = phase;
    progress.round = static_cast<int>(session_.rounds.size());
    progress.last_round = session_.schedule.looks.empty() ? 0 : session_.schedule.looks.back();
    progress.cases_done = done;
    progress.cases_open = static_cast<std::size_t>(std::count(open_.begin(), open_.end(), true));
    progress.cases = session_.cases.size();
    progress.elapsed_s = elapsed_s();
    progress.left_s = std::isinf(left_s()) ? -1 : std::max(0.0, left_s());
    progress.note = std::move(note);
    hooks_.progress(progress);
  }

  void begin() {
    start_ = Clock::now();
    const std::uint64_t seed = plan_.seed ? *plan_.seed : system_entropy();
    random_ = RandomStream(seed);
    session_.id = hex(system_entropy()) + hex(system_entropy());
    session_.tool = plan_.tool;
    session_.suite = plan_.suite;
    session_.started = utc_now();
    session_.policy = plan_.policy;
    session_.schedule.seed = hex(seed);
    session_.schedule.replayed = plan_.seed.has_value();
    session_.machine = probe_machine();
    if (plan_.reference) session_.reference_names = reference_names();
  }

  void lease_cores() {
    int threads = 1;
    for (const CaseInfo& info : session_.cases) threads = std::max(threads, info.threads);
    const int wanted =
        std::min(threads, static_cast<int>(std::max<std::size_t>(1, allowed_cpus().size())));
    LeaseOptions options;
    options.message = [this](const std::string& text) {
      report(Progress::Phase::kWaitingForCore, 0, text);
    };
    lease_ = lease_cpus(plan_.cpus.empty() ? wanted : static_cast<int>(plan_.cpus.size()),
                        plan_.cpus, options);
    context_.cpus = lease_.cpus;
    context_.nice = may_raise_priority() ? kArmNice : 0;
    session_.nice = context_.nice;
    session_.warnings.insert(session_.warnings.end(), lease_.warnings.begin(),
                             lease_.warnings.end());
    const int cores = context_.cpus.empty() ? wanted : static_cast<int>(context_.cpus.size());
    for (std::size_t c = 0; c < session_.cases.size(); ++c) {
      const int threads_of_case = session_.cases[c].threads;
      if (threads_of_case > cores && threads_of_case > 1 && !plan_.policy.allow_oversubscription) {
        session_.faults.push_back(
            {c, 0, -1, FaultKind::kTooManyThreads,
             std::to_string(threads_of_case) + " threads on " + std::to_string(cores) +
                 " core(s); allow_oversubscription in the policy permits it"});
      }
    }
    start_ = Clock::now();  // waiting for a core is not part of the budget
  }

  void calibrate() {
    open_.assign(session_.cases.size(), true);
    for (const Fault& fault : session_.faults) {
      if (!is_spared(fault)) open_[fault.case_index] = false;
    }
    for (std::size_t c = 0; c < open_.size(); ++c) {
      const auto& ids = context_.roster.ids[c];
      if (std::none_of(ids.begin(), ids.end(), [](const auto& id) { return id.has_value(); })) {
        open_[c] = false;
      }
    }
    calibrated_.assign(session_.cases.size(), {});
    std::vector<int> slot_of_arm(plan_.arms.size());
    std::iota(slot_of_arm.begin(), slot_of_arm.end(), 0);
    Stage stage(context_, slot_of_arm);
    if (context_.drivers.front() == DriverKind::kProcessPerSuite) {
      calibrated_ = calibrate_suite(stage, context_, session_.cases);
      for (std::size_t c = 0; c < open_.size(); ++c) {
        if (open_[c]) take_calibration(c);
      }
    } else {
      for (std::size_t c = 0; c < open_.size(); ++c) {
        if (!open_[c]) continue;
        report(Progress::Phase::kCalibrating, c);
        if (left_s() < 0) {
          session_.faults.push_back({c, 0, -1, FaultKind::kUnmeasured,
                                     "the budget ended before it was calibrated; raise --budget "
                                     "or narrow --filter"});
          open_[c] = false;
          continue;
        }
        stage.pin_for(session_.cases[c].threads);
        calibrated_[c] = calibrate_case(stage, context_, c, session_.cases[c]);
        take_calibration(c);
      }
    }
    stage.quit();
    if (plan_.launch_of) {
      launch_s_ = seconds_of_a_launch(stage, context_, session_.cases, calibrated_, open_);
    }
    warn_about_setup();
    session_.schedule.round_s = round_s();
  }

  // What went wrong in an arm that the others are compared without. A case that nobody can measure
  // is not that arm's fault, although it stands at the first arm.
  bool is_spared(const Fault& fault) const {
    return fault.arm == plan_.spare_arm && fault.kind != FaultKind::kTooManyThreads &&
           fault.kind != FaultKind::kUnmeasured;
  }

  void take_calibration(std::size_t c) {
    session_.faults.insert(session_.faults.end(), calibrated_[c].faults.begin(),
                           calibrated_[c].faults.end());
    open_[c] = calibrated_[c].usable;
  }

  void warn_about_setup() {
    constexpr double kShown = 0.21;  // calibration aims at 20 %
    for (const CaseInfo& info : session_.cases) {
      if (info.setup_share <= kShown) continue;
      session_.warnings.push_back(
          info.name + " spends " + std::to_string(std::lround(100 * info.setup_share)) +
          " % of each slice outside its timed loop; build its data once per process (a "
          "function-local static) to measure more in the same time");
    }
  }

  double round_s() const {
    return predicted_round_s(context_, session_.cases, calibrated_, open_, launch_s_);
  }

  void measure_rounds() {
    const std::vector<int>& looks = session_.schedule.looks;
    const int last = looks.empty() ? 0 : looks.back();
    while (static_cast<int>(session_.rounds.size()) < last &&
           std::count(open_.begin(), open_.end(), true) > 0) {
      // A round that reaches a look may overrun the budget a little; without it the rounds since
      // the last look would be for nothing.
      const int next = static_cast<int>(session_.rounds.size()) + 1;
      const bool at_look = std::find(looks.begin(), looks.end(), next) != looks.end();
      const double overrun_s = at_look ? kLookOverrun * plan_.policy.budget_s : 0.0;
      if (left_s() + overrun_s < round_s() && !session_.rounds.empty()) break;
      if (!measure_round()) break;
      const int rounds = static_cast<int>(session_.rounds.size());
      if (std::find(looks.begin(), looks.end(), rounds) != looks.end()) {
        const std::vector<bool> wanted = hooks_.open_cases(session_, rounds);
        for (std::size_t c = 0; c < open_.size(); ++c) open_[c] = open_[c] && wanted[c];
      }
    }
  }

  // False when the budget ended inside the round. Its finished cases are kept.
  bool measure_round() {
    RoundInfo round;
    round.index = static_cast<int>(session_.rounds.size());
    round.cpus = context_.cpus;
    round.started_s = elapsed_s();
    round.coin = random_.below(permutations(arms()));
    const std::vector<int> roles = permutation(round.coin, arms());
    std::vector<int> slot_of_arm(roles.size());
    for (std::size_t role = 0; role < roles.size(); ++role) {
      slot_of_arm[static_cast<std::size_t>(roles[role])] = static_cast<int>(role);
    }
    std::vector<std::size_t> order;
    for (std::size_t c = 0; c < open_.size(); ++c) {
      if (open_[c]) order.push_back(c);
    }
    random_.shuffle(std::span<std::size_t>(order));
    const std::vector<std::vector<std::size_t>> launches =
        cases_by_launch(plan_, session_.cases, order);

    const RoundProbe probe(context_.cpus);
    if (plan_.reference) round.reference = time_reference(context_.cpus);
    Stage stage(context_, slot_of_arm);
    bool whole = true;
    std::size_t done = 0;
    long voluntary_switches = 0;
    long involuntary_switches = 0;
    for (std::size_t i = 0; i < launches.size() && whole; ++i) {
      if (spent() && done > 0) {
        whole = false;
        break;
      }
      stage.launch(needed_arms(roles, launches[i]));
      const std::size_t first = round.cases.size();
      whole = measure_launch(stage, launches[i], roles, done, round);
      const std::vector<Departure> departures = stage.quit();
      for (std::size_t arm = 0; arm < departures.size(); ++arm) {
        voluntary_switches += departures[arm].voluntary_switches;
        involuntary_switches += departures[arm].involuntary_switches;
        if (departures[arm].leftover_processes > 0) {
          distrust(std::span(round.cases).subspan(first), round.index, static_cast<int>(arm));
        }
      }
    }
    round.conditions = probe.finish(stage.cpu_seconds());
    round.conditions.voluntary_switches = voluntary_switches;
    round.conditions.involuntary_switches = involuntary_switches;
    round.wall_s = elapsed_s() - round.started_s;
    session_.rounds.push_back(std::move(round));
    report(Progress::Phase::kRound, done);
    return whole;
  }

  // The cases of one launch. False when the budget ended before the last of them; done: cases of
  // this round that are behind it.
  bool measure_launch(Stage& stage, const std::vector<std::size_t>& cases,
                      const std::vector<int>& roles, std::size_t& done, RoundInfo& round) {
    if (context_.drivers.front() == DriverKind::kProcessPerSuite) {
      report(Progress::Phase::kRound, done);
      const auto outcomes =
          measure_suite(stage, context_, session_.cases, cases, calibrated_, roles, round.index);
      for (std::size_t i = 0; i < cases.size(); ++i) take(outcomes[i], cases[i], round);
      done += cases.size();
      return true;
    }
    for (const std::size_t c : cases) {
      report(Progress::Phase::kRound, done);
      if (spent() && done > 0) return false;
      // Which label has the case's first slot is drawn for labels; the coin maps them to arms.
      std::vector<int> slots = permutation(random_.below(permutations(arms())), arms());
      for (int& slot : slots) slot = roles[static_cast<std::size_t>(slot)];
      const auto& ids = context_.roster.ids[c];
      std::erase_if(slots, [&](int arm) { return !ids[static_cast<std::size_t>(arm)]; });
      take(measure_case(stage, context_, session_.cases[c], c, calibrated_[c], slots, round.index),
           c, round);
      ++done;
    }
    return true;
  }

  // The budget and what a round may overrun it.
  bool spent() const { return left_s() + kLookOverrun * plan_.policy.budget_s < 0; }

  // Of the arms in their order those that have one of the cases.
  std::vector<int> needed_arms(std::vector<int> roles,
                               const std::vector<std::size_t>& cases) const {
    std::erase_if(roles, [&](int arm) {
      return std::none_of(cases.begin(), cases.end(), [&](std::size_t c) {
        return context_.roster.ids[c][static_cast<std::size_t>(arm)].has_value();
      });
    });
    return roles;
  }

  // Processes outlived the arm, and nothing says which of its cases they came from.
  void distrust(std::span<const CaseRound> cases, int round, int arm) {
    for (const CaseRound& measured : cases) {
      session_.faults.push_back({measured.case_index, arm, round, FaultKind::kLeftover,
                                 "a process outlived the executable in a round with this case"});
      if (arm == plan_.spare_arm) {
        spare_no_more(measured.case_index);
      } else {
        open_[measured.case_index] = false;
      }
    }
  }

  // The case goes on without the spare arm.
  void spare_no_more(std::size_t c) {
    context_.roster.ids[c][static_cast<std::size_t>(plan_.spare_arm)].reset();
  }

  void take(const CaseOutcome& outcome, std::size_t c, RoundInfo& round) {
    session_.faults.insert(session_.faults.end(), outcome.faults.begin(), outcome.faults.end());
    session_.timed_s += outcome.timed_s;
    if (outcome.spare_lost) spare_no_more(c);
    if (outcome.measured) {
      round.cases.push_back(*outcome.measured);
    } else {
      open_[c] = false;
    }
  }

  const MeasurePlan& plan_;
  const Hooks& hooks_;
  PathSlots slots_;
  RunFolder folder_;
  Context context_;
  CpuLease lease_;
  RandomStream random_{0};
  Clock::time_point start_;
  Session session_;
  std::vector<bool> open_;
  std::vector<Calibrated> calibrated_;
  double launch_s_ = 0;  // with plan_.launch_of
};

}  // namespace

Session measure(const MeasurePlan& plan, const Hooks& hooks) {
  if (plan.arms.empty()) throw Error(Exit::kUsage, "no executable to measure");
  if (plan.spare_arm >= static_cast<int>(plan.arms.size())) {
    throw std::logic_error("the spare arm is none of the arms");
  }
  validate(plan.policy);
  return Measurement(plan, hooks).run();
}

}  // namespace perfgate::measure
