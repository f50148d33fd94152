// SPDX-License-Identifier: Apache-2.0
// population.h: small published sets for tests.
#pragma once

#include <string>
#include <vector>

#include "perfgate/published/published_rules.h"

namespace perfgate::published {

inline PublishedValue ValueOfArm(double value, std::optional<std::string> model = "org/m-8B",
                                 std::optional<std::string> mode = "serving") {
  PublishedValue published;
  published.value = value;
  published.decimals = 1;
  published.model = std::move(model);
  published.mode = std::move(mode);
  return published;
}

// A throughput of all three arms in one run.
inline PublishedMeasurement ThroughputOf(double baseline, double human, double agent) {
  PublishedMeasurement m;
  m.source = "runs";
  m.shared_run = true;
  m.metric = "throughput";
  m.better = Direction::kHigher;
  m.arms = {ValueOfArm(baseline), ValueOfArm(human), ValueOfArm(agent)};
  return m;
}

inline PublishedItem MeasuredItem(const std::string& id, double baseline, double human,
                                  double agent) {
  PublishedItem item;
  item.id = id;
  item.model = "org/m-8B";
  item.status = {ArmStatus::kMeasured, ArmStatus::kMeasured, ArmStatus::kMeasured};
  item.measurements = {ThroughputOf(baseline, human, agent)};
  return item;
}

inline PublishedItem FailedItem(const std::string& id, const std::string& kind) {
  PublishedItem item;
  item.id = id;
  item.status = {ArmStatus::kFailed, ArmStatus::kFailed, ArmStatus::kFailed};
  item.errors.push_back({"run", kind, "results"});
  return item;
}

inline std::vector<ItemAnswer> AnswersOf(const PublishedSet& set) { return answer_all(set).items; }

}  // namespace perfgate::published
