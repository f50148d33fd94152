// SPDX-License-Identifier: Apache-2.0
// profile.h: where the time of prompts and steps goes, by stage of the decoder.
//
//   engine::StageProfile profile;
//   engine::Engine engine(options, folder, nullptr, false, engine::Profiled(profile));
//   engine.Generate(...);
//   profile.seconds(engine::OpStage::kAttention);
//
// Where a device fuses rope and attention they are a stage of their own, so that a stage is the
// same work wherever it runs; which of them ran depends on device, options and rows. Each stage
// ends with a wait for the device, so that its time is its own, and steps are never replayed from a
// capture: the sum is more than an unprofiled run takes. On the CPU a stage costs two readings of
// the clock.
#pragma once

#include <map>

#include "engine/decode/engine.h"
#include "engine/ops/op_stage.h"

namespace engine {

class StageProfile {
 public:
  double seconds(OpStage stage) const { return ran(stage) ? seconds_.at(stage) : 0; }
  // A stage that ran may have taken no time that the clock can tell.
  bool ran(OpStage stage) const { return seconds_.contains(stage); }
  void Add(OpStage stage, double seconds) { seconds_[stage] += seconds; }
  void Clear() { seconds_.clear(); }

 private:
  std::map<OpStage, double> seconds_;
};

// For the constructor of Engine. The profile outlives the engine.
WrapOps Profiled(StageProfile& profile);

}  // namespace engine
