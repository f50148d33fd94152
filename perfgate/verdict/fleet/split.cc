// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/fleet/split.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/gate/look_plan.h"

namespace perfgate::inline verdict {
namespace {

// What a case costs where nothing is known of any.
constexpr double kUnknownS = 1;

double MeanOfKnown(std::span<const FleetCase> cases) {
  double sum = 0;
  double known = 0;
  for (const FleetCase& one : cases) {
    sum += one.round_s;
    known += one.round_s > 0 ? 1 : 0;
  }
  return known > 0 ? sum / known : kUnknownS;
}

}  // namespace

void SplitCases(int jobs, std::span<FleetCase> cases) {
  if (jobs < 1) throw Error(Exit::kUsage, "--split must be at least 1");
  if (std::cmp_greater(jobs, cases.size())) {
    throw Error(Exit::kUsage, "--split " + std::to_string(jobs) + ": the suite has only " +
                                  std::to_string(cases.size()) + " case(s); give fewer jobs");
  }
  const double mean = MeanOfKnown(cases);
  const auto cost = [&](std::size_t i) { return cases[i].round_s > 0 ? cases[i].round_s : mean; };
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return cost(a) > cost(b); });
  std::vector<double> load(static_cast<std::size_t>(jobs), 0.0);
  for (const std::size_t i : order) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += cost(i);
    cases[i].job = static_cast<int>(least - load.begin()) + 1;
  }
}

std::vector<stats::Look> LooksOfFleet(const Policy& policy) {
  if (policy.rounds < stats::kMinimumRounds) {
    throw Error(Exit::kUsage, "--rounds " + std::to_string(policy.rounds) +
                                  ": no case can be decided with fewer than " +
                                  std::to_string(stats::kMinimumRounds) + " rounds");
  }
  return looks_within(policy, policy.rounds);
}

}  // namespace perfgate::inline verdict
