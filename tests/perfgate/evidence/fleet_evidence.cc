// SPDX-License-Identifier: Apache-2.0
// Plans of fleets, and what sessions say of their part in one.
#include <algorithm>

#include "tests/perfgate/evidence/random_values.h"

namespace perfgate::sample {

FleetPlan full_fleet() {
  FleetPlan plan;
  plan.id = std::string(32, '5');
  plan.tool = "perfgate 0.1.0";
  plan.suite = "kernels";
  plan.jobs = 2;
  plan.policy = full_policy();
  plan.looks = {6, 10};
  plan.look_alpha = {0, 0.01};
  plan.arms = {{"baseline", "old/bench", "sha256:" + std::string(64, '1')},
               {"candidate", "new/bench", "sha256:" + std::string(64, '2')}};
  plan.cases = {{"memcpy/bytes:1048576", 2, 0.25}, {"memcpy/bytes:64", 1, 0.125}};
  return plan;
}

FleetPlan random_fleet(Random& random) {
  FleetPlan plan;
  plan.id = hex(random, 32);
  plan.tool = random_text(random);
  plan.suite = random_text(random);
  plan.jobs = pick(random, 1, 4);
  plan.policy = random_policy(random);
  const Schedule schedule = random_schedule(random);
  plan.looks = schedule.looks;
  plan.look_alpha = schedule.look_alpha;
  for (int arm = 0; arm < 2; ++arm) {
    plan.arms.push_back({random_text(random), random_text(random), "sha256:" + hex(random, 64)});
  }
  const int cases = plan.jobs + pick(random, 0, 4);
  for (int i = 0; i < cases; ++i) {
    const int job = i < plan.jobs ? i + 1 : pick(random, 1, plan.jobs);
    plan.cases.push_back(
        {unique_text(random, static_cast<std::size_t>(i)), job, real(random, 0, 100)});
  }
  std::shuffle(plan.cases.begin(), plan.cases.end(), random);
  return plan;
}

}  // namespace perfgate::sample
