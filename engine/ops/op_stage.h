// SPDX-License-Identifier: Apache-2.0
// op_stage.h: the stages of a step, as the decoder names them and records spell them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

struct NamedStage {
  OpStage stage;
  std::string_view name;
};
// In the order in which they are reported.
inline constexpr std::array kOpStages = {
    NamedStage{OpStage::kEmbed, "embed"},
    NamedStage{OpStage::kQkv, "qkv"},
    NamedStage{OpStage::kRope, "rope"},
    NamedStage{OpStage::kAttention, "attention"},
    NamedStage{OpStage::kRopeAttention, "rope_attention"},
    NamedStage{OpStage::kOut, "out"},
    NamedStage{OpStage::kGateUp, "gate_up"},
    NamedStage{OpStage::kDown, "down"},
    NamedStage{OpStage::kHead, "head"},
    NamedStage{OpStage::kSample, "sample"},
};

}  // namespace engine
