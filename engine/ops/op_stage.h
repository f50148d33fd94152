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

// In the order in which they are reported.
inline constexpr std::array kOpStages = {
    OpStage::kEmbed, OpStage::kQkv,    OpStage::kRope, OpStage::kAttention, OpStage::kRopeAttention,
    OpStage::kOut,   OpStage::kGateUp, OpStage::kDown, OpStage::kHead,      OpStage::kSample};

constexpr std::string_view Name(OpStage stage) {
  switch (stage) {
    case OpStage::kEmbed:
      return "embed";
    case OpStage::kQkv:
      return "qkv";
    case OpStage::kRope:
      return "rope";
    case OpStage::kAttention:
      return "attention";
    case OpStage::kRopeAttention:
      return "rope_attention";
    case OpStage::kOut:
      return "out";
    case OpStage::kGateUp:
      return "gate_up";
    case OpStage::kDown:
      return "down";
    case OpStage::kHead:
      return "head";
    case OpStage::kSample:
      break;
  }
  return "sample";
}

}  // namespace engine
