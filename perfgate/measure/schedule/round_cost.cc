// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/round_cost.h"

#include <algorithm>
#include <set>
#include <string>

#include "perfgate/base/os/waiting.h"
#include "perfgate/measure/schedule/launches.h"

namespace perfgate::measure {
namespace {

double launch_cost_s(const Context& context, const std::vector<CaseInfo>& cases,
                     const std::vector<bool>& open, double launch_s) {
  const MeasurePlan& plan = context.plan;
  if (plan.launch_of) {
    std::set<std::string> names;
    for (std::size_t c = 0; c < open.size(); ++c) {
      if (open[c]) names.insert(launch_of(plan, cases[c]));
    }
    return static_cast<double>(names.size()) * launch_s;
  }
  // A process per suite is started for every slice, any other once per round.
  const bool per_suite = context.drivers.front() == DriverKind::kProcessPerSuite;
  const int launches = per_suite ? plan.policy.pairs + plan.policy.warmup_slices : 1;
  double cost = 0;
  for (const Listing& listing : context.listings) cost += launches * listing.startup_s;
  return cost;
}

}  // namespace

double seconds_of_a_launch(Stage& stage, const Context& context, const std::vector<CaseInfo>& cases,
                           const std::vector<Calibrated>& calibrated,
                           const std::vector<bool>& open) {
  const auto first = std::find(open.begin(), open.end(), true);
  if (first == open.end()) return 0;
  const MeasurePlan& plan = context.plan;
  const std::string name = launch_of(plan, cases[static_cast<std::size_t>(first - open.begin())]);
  const Clock::time_point before = Clock::now();
  double slices_s = 0;
  for (std::size_t c = 0; c < open.size(); ++c) {
    if (!open[c] || launch_of(plan, cases[c]) != name) continue;
    for (std::size_t arm = 0; arm < plan.arms.size(); ++arm) {
      const auto& id = context.matched.ids[c][arm];
      if (!id) continue;
      const CaseInfo& info = cases[c];
      int voided = 0;
      stage.pin_for(info.threads);
      stage.slice(static_cast<int>(arm),
                  {*id, info.iterations, info.slice_s, calibrated[c].limit_s}, &voided);
      slices_s += calibrated[c].slice_wall_s;
    }
  }
  stage.quit();
  return std::max(0.0, seconds_since(before) - slices_s);
}

double predicted_round_s(const Context& context, const std::vector<CaseInfo>& cases,
                         const std::vector<Calibrated>& calibrated, const std::vector<bool>& open,
                         double launch_s) {
  const Policy& policy = context.plan.policy;
  const double slices =
      static_cast<double>(context.plan.arms.size()) * (policy.pairs + policy.warmup_slices);
  double cost = launch_cost_s(context, cases, open, launch_s);
  for (std::size_t c = 0; c < open.size(); ++c) {
    if (open[c]) cost += slices * calibrated[c].slice_wall_s;
  }
  return cost;
}

}  // namespace perfgate::measure
