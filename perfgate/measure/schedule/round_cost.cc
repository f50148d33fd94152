// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/round_cost.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "perfgate/base/os/waiting.h"
#include "perfgate/measure/schedule/launches.h"

namespace perfgate::measure {
namespace {

constexpr int kTries = 3;
constexpr double kTriedShare = 0.05;  // of the budget; no try begins later
constexpr double kTriedLimitS = 3;    // where the budget is not known yet

double tried_limit_s(const Policy& policy) {
  return policy.budget_s > 0 ? kTriedShare * policy.budget_s : kTriedLimitS;
}

struct Try {
  double launch_s = 0;
  std::optional<Fault> fault{};  // of the slice with which it ended
};

// A launch of the arms with one slice of every open case of that launch.
Try try_launch(Stage& stage, const Context& context, const std::vector<CaseInfo>& cases,
               const std::vector<Calibrated>& calibrated, const std::vector<bool>& open,
               const std::string& name) {
  const Clock::time_point before = Clock::now();
  double slices_s = 0;
  Try found;
  for (std::size_t c = 0; c < open.size() && !found.fault; ++c) {
    if (!open[c] || launch_of(context.plan, cases[c]) != name) continue;
    const CaseInfo& info = cases[c];
    stage.pin_for(info.threads);
    for (std::size_t arm = 0; arm < context.plan.arms.size(); ++arm) {
      const auto& id = context.matched.ids[c][arm];
      if (!id) continue;
      int voided = 0;
      const SliceResult result =
          stage.slice(static_cast<int>(arm),
                      {*id, IterationsOf(info, arm), info.slice_s, calibrated[c].limit_s}, &voided);
      if (result.fault) {
        found.fault = Fault{c, static_cast<int>(arm), -1, *result.fault, result.detail};
        break;
      }
      slices_s += info.wall_s;
    }
  }
  stage.quit();
  found.launch_s = std::max(0.0, seconds_since(before) - slices_s);
  return found;
}

}  // namespace

TriedLaunch try_a_launch(Stage& stage, const Context& context, const std::vector<CaseInfo>& cases,
                         const std::vector<Calibrated>& calibrated, std::vector<bool> open) {
  TriedLaunch tried;
  const auto first = std::find(open.begin(), open.end(), true);
  if (first == open.end() || context.drivers.front() != DriverKind::kWorker) return tried;
  const std::string name =
      launch_of(context.plan, cases[static_cast<std::size_t>(first - open.begin())]);
  const Clock::time_point start = Clock::now();
  std::vector<double> seconds;
  const int most = context.plan.policy.rounds > 0 ? 1 : kTries;  // nothing depends on the forecast
  for (int tries = 0; tries < most; ++tries) {
    const Try found = try_launch(stage, context, cases, calibrated, open, name);
    if (!found.fault) seconds.push_back(found.launch_s);
    // Without an optional arm the others go on: its fault is for the rounds to meet.
    if (found.fault && IsOptional(context.plan, found.fault->arm)) break;
    if (found.fault) {
      open[found.fault->case_index] = false;
      tried.faults.push_back(*found.fault);
    }
    if (!found.fault && seconds_since(start) > tried_limit_s(context.plan.policy)) break;
  }
  if (seconds.empty()) return tried;
  std::sort(seconds.begin(), seconds.end());
  tried.launch_s = seconds[seconds.size() / 2];
  return tried;
}

double predicted_round_s(const Context& context, const std::vector<CaseInfo>& cases,
                         const std::vector<bool>& open, double launch_s) {
  const Policy& policy = context.plan.policy;
  const bool per_suite = context.drivers.front() == DriverKind::kProcessPerSuite;
  const auto arms = static_cast<double>(
      std::count_if(context.plan.arms.begin(), context.plan.arms.end(),
                    [](const ArmPlan& arm) { return !arm.only_listed && arm.absent.empty(); }));
  std::set<std::string> launches;
  double cost = 0;
  int suite_runs = 0;  // every slice is a process over all cases
  for (std::size_t c = 0; c < open.size(); ++c) {
    if (!open[c]) continue;
    const int slices = PairsOf(cases[c], policy) + WarmupSlicesOf(cases[c], policy);
    launches.insert(launch_of(context.plan, cases[c]));
    cost += arms * slices * cases[c].wall_s;
    suite_runs = slices;
  }
  for (const Listing& listing : context.listings) {
    if (per_suite) cost += suite_runs * listing.startup_s;
  }
  return cost + static_cast<double>(launches.size()) * launch_s;
}

}  // namespace perfgate::measure
