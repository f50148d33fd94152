// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/round_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>

namespace perfgate::inline verdict {
namespace {

constexpr int kFewestRounds = 6;  // with which a case can pass
constexpr int kFewestFailingRounds = 10;
constexpr int kWantedRounds = 16;
// Layouts differ by several per cent where slices of one differ by one: another one says more than
// any number of slices of the last.
constexpr int kWantedLayouts = 40;
constexpr int kPairs = 2;  // fewer are taken only after the slices are short

double setup_s(const CaseInfo& info) {
  return info.setup_share < 1 ? info.slice_s * info.setup_share / (1 - info.setup_share) : 0;
}

bool is_open(const CaseInfo& info) { return info.wall_s > 0; }

// What a session costs a round, as the policy says it, taken apart into slices and the rest.
class Costs {
 public:
  explicit Costs(const Session& session)
      : policy_(session.policy),
        arms_(static_cast<double>(session.arms.size())),
        driver_(session.arms.empty() ? DriverKind::kWorker : session.arms.front().driver) {
    rest_s_ = session.schedule.round_s;
    if (is_suite()) rest_s_ /= std::max(1, policy_.pairs + policy_.warmup_slices);
    for (const CaseInfo& info : session.cases) rest_s_ -= is_suite() ? slice_s(info) : case_s(info);
    rest_s_ = std::max(0.0, rest_s_);
  }

  DriverKind driver() const { return driver_; }
  bool is_suite() const { return driver_ == DriverKind::kProcessPerSuite; }

  double case_s(const CaseInfo& info) const {
    return (PairsOf(info, policy_) + WarmupSlicesOf(info, policy_)) * slice_s(info);
  }

  double round_s(const std::vector<CaseInfo>& cases) const {
    double sum = rest_s_;
    int slices = 0;
    for (const CaseInfo& info : cases) {
      if (!is_open(info)) continue;
      slices = PairsOf(info, policy_) + WarmupSlicesOf(info, policy_);
      sum += is_suite() ? slice_s(info) : case_s(info);
    }
    return is_suite() ? slices * sum : sum;
  }

 private:
  double slice_s(const CaseInfo& info) const { return arms_ * info.wall_s; }

  const Policy& policy_;
  double arms_;
  DriverKind driver_;
  double rest_s_ = 0;  // of a round; of one run of all arms where a slice is a run of the suite
};

// A slice of about so many timed seconds; false where it cannot be shorter than it is.
bool shorten(double wanted_s, CaseInfo& info) {
  double ratio = wanted_s / info.slice_s;
  if (info.iterations > 0) {
    const std::int64_t unit = std::max<std::int64_t>(1, info.fixed_iterations);
    const auto units = static_cast<std::int64_t>(
        std::ceil(ratio * static_cast<double>(info.iterations) / static_cast<double>(unit)));
    const std::int64_t iterations = unit * std::max<std::int64_t>(1, units);
    if (iterations >= info.iterations) return false;
    ratio = static_cast<double>(iterations) / static_cast<double>(info.iterations);
    info.iterations = iterations;
  }
  const double setup = setup_s(info);
  info.wall_s = setup + std::max(0.0, info.wall_s - setup) * ratio;
  info.slice_s *= ratio;
  info.setup_share = setup / (setup + info.slice_s);
  return true;
}

// The next cut of a case; false where nothing is left to cut.
bool cut_case(const Policy& policy, DriverKind driver, CaseInfo& info) {
  constexpr double kLonger = 1.5;  // than what a cut would leave; less is not worth one
  const int pairs = PairsOf(info, policy);
  const auto without_warmup = [&] {
    if (WarmupSlicesOf(info, policy) == 0) return false;
    info.warmup_slices = 0;
    return true;
  };
  // Where every slice is a separate process, the process before it warms nothing.
  if (driver != DriverKind::kWorker && without_warmup()) return true;
  if (pairs > kPairs) {
    info.pairs = std::max(kPairs, pairs / 2);
    return true;
  }
  const bool runs_alone = driver != DriverKind::kProcessPerSuite;
  for (const double shortest_s : {std::max(policy.slice_s, setup_s(info)), policy.slice_s}) {
    if (runs_alone && info.slice_s > kLonger * shortest_s &&
        shorten(std::max(shortest_s, info.slice_s / 2), info)) {
      return true;
    }
    if (PairsOf(info, policy) > 1) {
      info.pairs = 1;
      return true;
    }
  }
  return without_warmup();
}

// Cuts until a round takes round_s, or as far as it goes.
std::vector<CaseInfo> cut_to(double round_s, const Costs& costs, const Policy& policy,
                             std::vector<CaseInfo> cases) {
  std::vector<bool> can_be_cut(cases.size());
  for (std::size_t c = 0; c < cases.size(); ++c) can_be_cut[c] = is_open(cases[c]);
  const auto cut = [&](std::size_t c) {
    can_be_cut[c] = cut_case(policy, costs.driver(), cases[c]);
  };
  while (costs.round_s(cases) > round_s) {
    std::optional<std::size_t> dearest;
    for (std::size_t c = 0; c < cases.size(); ++c) {
      if (!can_be_cut[c]) continue;
      if (costs.is_suite()) cut(c);  // its slices are runs of all cases: all have as many
      if (!dearest || costs.case_s(cases[c]) > costs.case_s(cases[*dearest])) dearest = c;
    }
    if (!dearest) break;
    if (!costs.is_suite()) cut(*dearest);
  }
  return cases;
}

std::string seconds(double s) {
  char text[32];
  std::snprintf(text, sizeof text, s < 0.1 ? "%.3f s" : s < 10 ? "%.2f s" : "%.0f s", s);
  return text;
}

std::string cuts_text(const std::vector<CaseInfo>& before, const std::vector<CaseInfo>& after,
                      const Policy& policy) {
  std::map<int, int, std::greater<>> pairs;
  int shorter = 0;
  int unwarmed = 0;
  int open = 0;
  for (std::size_t c = 0; c < after.size(); ++c) {
    if (!is_open(after[c])) continue;
    ++open;
    ++pairs[PairsOf(after[c], policy)];
    shorter += after[c].slice_s < before[c].slice_s ? 1 : 0;
    unwarmed += WarmupSlicesOf(after[c], policy) < policy.warmup_slices ? 1 : 0;
  }
  std::string text;
  const auto add = [&](const std::string& what, int cases) {
    if (cases == 0) return;
    text += (text.empty() ? "" : ", ") + what;
    if (cases < open) text += " in " + std::to_string(cases) + " of " + std::to_string(open);
  };
  for (const auto& [count, cases] : pairs) {
    add(std::to_string(count) + (count == 1 ? " pair" : " pairs"), cases);
  }
  add("shorter slices", shorter);
  add("no warm-up", unwarmed);
  return text;
}

std::string plan_text(const Session& session, const RoundPlan& plan, double left_s) {
  const int rounds =
      static_cast<int>(std::min<double>(kWantedLayouts, left_s / std::max(1e-9, plan.round_s)));
  std::string text = std::to_string(rounds) + " rounds of " + seconds(plan.round_s) + " fit into " +
                     seconds(plan.budget_s);
  if (session.policy.budget_s <= 0) text += " (auto)";
  const bool is_cut = plan.round_s < session.schedule.round_s;
  if (!is_cut) return text + "; pairs, slices and warm-up as the policy says";
  return text + " by " + cuts_text(session.cases, plan.cases, session.policy) +
         "; uncut a round takes " + seconds(session.schedule.round_s);
}

std::string shortage_text(const Policy& policy, const RoundPlan& plan, double spent_s) {
  const auto budget = [&](int rounds) {
    return std::to_string(std::lround(std::ceil(spent_s + 1.1 * rounds * plan.round_s))) + "s";
  };
  return "a budget of " + seconds(policy.budget_s) + " holds " +
         std::to_string(std::max(
             0, static_cast<int>((policy.budget_s - spent_s) / std::max(1e-9, plan.round_s)))) +
         " round(s) of " + seconds(plan.round_s) + " after " + seconds(spent_s) +
         " of calibration, and a verdict needs 6, a regression 10: --budget " +
         budget(kFewestRounds) + " can pass, --budget " + budget(kFewestFailingRounds) +
         " can fail; or narrow --filter";
}

int wanted_rounds(const Session& session) {
  const bool over_layouts = std::any_of(session.arms.begin(), session.arms.end(),
                                        [](const ArmInfo& arm) { return arm.layouts > 0; });
  return over_layouts ? kWantedLayouts : kWantedRounds;
}

double automatic_budget(int rounds, double round_s, double spent_s) {
  const double most_s = spent_s + rounds * round_s;
  if (most_s <= kMostAutoBudgetS) return std::max(kLeastAutoBudgetS, most_s);
  return std::max(kMostAutoBudgetS, spent_s + 1.05 * kFewestFailingRounds * round_s);
}

}  // namespace

double budget_of(const Policy& policy, double round_s, double spent_s) {
  return policy.budget_s > 0 ? policy.budget_s : automatic_budget(kWantedRounds, round_s, spent_s);
}

RoundPlan plan_rounds(const Session& session, double spent_s, bool cut) {
  const Policy& policy = session.policy;
  RoundPlan plan;
  plan.round_s = session.schedule.round_s;
  plan.cases = session.cases;
  if (policy.rounds > 0) return plan;
  const bool automatic = policy.budget_s <= 0;
  plan.budget_s = automatic ? kLeastAutoBudgetS : policy.budget_s;
  if (plan.round_s <= 0) return plan;
  const Costs costs(session);
  const double aimed_s = automatic ? kAimedAutoBudgetS : policy.budget_s;
  const double left_s = std::max(0.0, aimed_s - spent_s);
  bool fits = false;
  for (const int rounds :
       {wanted_rounds(session), kWantedRounds, kFewestFailingRounds, kFewestRounds}) {
    const double round_s = left_s / rounds;
    if (cut && policy.fit) plan.cases = cut_to(round_s, costs, policy, session.cases);
    plan.round_s = costs.round_s(plan.cases);
    fits = plan.round_s <= round_s;
    if (fits || automatic) break;
  }
  if (automatic) {
    plan.budget_s = automatic_budget(wanted_rounds(session), plan.round_s, spent_s);
  }
  if (!fits && !automatic) plan.shortage = shortage_text(policy, plan, spent_s);
  plan.text = plan_text(session, plan, plan.budget_s - spent_s);
  return plan;
}

}  // namespace perfgate::inline verdict
