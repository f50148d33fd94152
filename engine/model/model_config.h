// SPDX-License-Identifier: Apache-2.0
// model_config.h: what config.json says about a model, in the spelling of transformers 4 and 5.
//
// Llama and Qwen2 differ only in their biases. Whatever would change the result and is not
// implemented is refused by the name of its key; nothing is ignored that matters.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/rope_config.h"

namespace engine {

enum class Family : std::uint8_t { kLlama, kQwen2 };
std::string_view Name(Family family);  // "LlamaForCausalLM"

struct ModelConfig {
  Family family = Family::kLlama;
  std::int64_t hidden = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0, ffn = 0, vocab = 0;
  std::int64_t max_positions = 0;
  double rms_eps = 1e-6;
  bool tied = false;  // lm_head is the embedding
  bool qkv_bias = false, o_bias = false;
  bool mxfp4 = false;  // projections are stored as MXFP4 blocks and scales
  RopeConfig rope;
  std::string dtype;  // as the file spells it; empty when it does not say
  std::vector<std::int32_t> eos;
  std::vector<std::string> notes;  // defaults that were taken, for `engine inspect`

  std::int64_t q_size() const { return heads * head_dim; }
  std::int64_t kv_size() const { return kv_heads * head_dim; }
  std::int64_t qkv_size() const { return q_size() + 2 * kv_size(); }
  std::int64_t parameters() const;  // numbers in the weights; a tied lm_head counts once
};

// Throws Error(kData) naming `where` and the key.
ModelConfig ParseModelConfig(const nlohmann::json& root, const std::string& where);

// Reads config.json, and the end tokens of generation_config.json where there is one.
ModelConfig ReadModelConfig(const std::string& folder);

}  // namespace engine
