// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/look_plan.h"

#include <algorithm>

namespace perfgate::inline verdict {

int affordable_rounds(const Policy& policy, double round_s, double left_s) {
  constexpr int kFirstLook = 6;
  constexpr int kMost = 40;
  if (policy.rounds > 0) return policy.rounds;
  if (round_s <= 0) return kMost;
  const double rounds = left_s / round_s;
  if (rounds <= kFirstLook || policy.tolerance <= 0) {
    return static_cast<int>(std::min<double>(rounds, kMost));
  }
  return static_cast<int>(std::min<double>(kFirstLook + 2 * (rounds - kFirstLook), kMost));
}

std::vector<stats::Look> looks_within(const Policy& policy, int rounds) {
  std::vector<stats::Look> looks = stats::plan_looks(policy.alpha, rounds, policy.rounds > 0);
  if (looks.empty() && rounds > 0) looks.push_back({rounds, 0.0});
  return looks;
}

}  // namespace perfgate::inline verdict
