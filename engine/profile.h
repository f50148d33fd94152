// SPDX-License-Identifier: Apache-2.0
// profile.h: where the time of prompts and steps goes, by stage of the decoder.
//
//   engine::StageProfile profile;
//   engine::Engine engine(options, folder, nullptr, false, engine::Profiled(profile));
//   engine.Generate(...);
//   profile.seconds(engine::OpStage::kAttention);
//
// Where a device fuses rope and attention, both are attention. Each stage ends with a wait for the
// device, so that its time is its own, and steps are never replayed from a capture: the sum is more
// than an unprofiled run takes. On the CPU a stage costs two readings of the clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/engine.h"

namespace engine {

// Norms belong to the product that follows them, residual sums to the product before.
enum class OpStage : std::uint8_t {
  kEmbed,
  kQkv,
  kRope,  // with the append to the cache
  kAttention,
  kOut,
  kGateUp,
  kDown,
  kHead,
  kSample,  // argmax or draw, uncertainty
};
inline constexpr std::array<std::string_view, 9> kOpStages = {
    "embed", "qkv", "rope", "attention", "out", "gate_up", "down", "head", "sample"};

class StageProfile {
 public:
  double seconds(OpStage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }
  void Add(OpStage stage, double seconds) { seconds_[static_cast<std::size_t>(stage)] += seconds; }
  void Clear() { seconds_.fill(0); }

 private:
  std::array<double, kOpStages.size()> seconds_{};
};

// For the constructor of Engine. The profile outlives the engine.
WrapOps Profiled(StageProfile& profile);

}  // namespace engine
