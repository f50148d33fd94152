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

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/decode/engine.h"

namespace engine {

// Norms belong to the product that follows them, residual sums to the product before.
enum class OpStage : std::uint8_t {
  kEmbed,
  kQkv,
  kRope,  // with the append to the cache
  kAttention,
  kRopeAttention,  // both as one
  kOut,
  kGateUp,
  kDown,
  kHead,
  kSample,  // argmax or draw, uncertainty
};
inline constexpr std::array<std::string_view, 10> kOpStages = {
    "embed", "qkv",     "rope", "attention", "rope_attention",
    "out",   "gate_up", "down", "head",      "sample"};

class StageProfile {
 public:
  double seconds(OpStage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }
  // A stage that ran may have taken no time that the clock can tell.
  bool ran(OpStage stage) const { return ran_[static_cast<std::size_t>(stage)]; }
  void Add(OpStage stage, double seconds) {
    seconds_[static_cast<std::size_t>(stage)] += seconds;
    ran_[static_cast<std::size_t>(stage)] = true;
  }
  void Clear() { *this = {}; }

 private:
  std::array<double, kOpStages.size()> seconds_{};
  std::array<bool, kOpStages.size()> ran_{};
};

// For the constructor of Engine. The profile outlives the engine.
WrapOps Profiled(StageProfile& profile);

}  // namespace engine
