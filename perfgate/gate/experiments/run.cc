// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/run.h"

#include <filesystem>
#include <map>
#include <utility>

#include "perfgate/base/error.h"

namespace perfgate::gate {
namespace {

constexpr int kDefaultRounds = 10;
constexpr std::size_t kMostArms = 5;  // the roles of a round are one of arms! permutations

// File names; where two are alike, the shortest path suffixes that tell them apart would be long,
// so they are numbered.
std::vector<std::string> Labels(const std::vector<std::string>& executables) {
  std::map<std::string, int> seen;
  std::vector<std::string> result;
  for (const std::string& path : executables) {
    const std::string name = std::filesystem::path(path).filename().string();
    const int count = ++seen[name];
    result.push_back(count == 1 ? name : name + "#" + std::to_string(count));
  }
  return result;
}

}  // namespace

Session RunArms(const RunRequest& request, GateDisplay& display) {
  if (request.executables.size() > kMostArms) {
    throw Error(Exit::kUsage, "at most " + std::to_string(kMostArms) + " executables at once");
  }
  Policy policy = ResolvePolicy(request.measure.policy);
  const int rounds = policy.rounds > 0 ? policy.rounds : kDefaultRounds;
  const std::vector<std::string> names = Labels(request.executables);
  std::vector<measure::ArmPlan> arms;
  for (std::size_t i = 0; i < names.size(); ++i) {
    arms.push_back(ExecutableArm(names[i], request.executables[i]));
  }
  measure::MeasurePlan plan = PlanMeasurement(request.measure, std::move(policy), std::move(arms));
  plan.compare = false;
  const Decider decider = FixedRounds(rounds);
  Session session = measure::Measure(plan, HooksOf(decider, display));
  KeepSession(request.measure, session);
  return session;
}

}  // namespace perfgate::gate
