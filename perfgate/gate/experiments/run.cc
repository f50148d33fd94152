// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/run.h"

#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/gate/experiments/arm_labels.h"

namespace perfgate::gate {
namespace {

constexpr int kDefaultRounds = 10;
constexpr std::size_t kMostArms = 5;  // the roles of a round are one of arms! permutations

}  // namespace

Session RunArms(const RunRequest& request, GateDisplay& display) {
  if (request.executables.size() > kMostArms) {
    throw Error(Exit::kUsage, "at most " + std::to_string(kMostArms) + " executables at once");
  }
  Policy policy = ResolvePolicy(request.measure.policy);
  const int rounds = policy.rounds > 0 ? policy.rounds : kDefaultRounds;
  const std::vector<std::string> names = LabelsOf(request.executables);
  std::vector<measure::ArmPlan> arms;
  for (std::size_t i = 0; i < names.size(); ++i) {
    arms.push_back(ExecutableArm(request.measure, names[i], request.executables[i]));
  }
  measure::MeasurePlan plan = PlanMeasurement(request.measure, std::move(policy), std::move(arms));
  plan.compare = false;
  const Decider decider = FixedRounds(rounds);
  Session session = measure::Measure(plan, HooksOf(decider, display));
  KeepSession(request.measure, session);
  return session;
}

}  // namespace perfgate::gate
