// SPDX-License-Identifier: Apache-2.0
// rope_config.h: what a config file says about rotary embedding.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/config_keys.h"

namespace engine {

// Frequencies of rotary embedding: theta^(-2i/d), rescaled for long contexts by `llama3`.
struct RopeConfig {
  struct Llama3 {
    double factor = 8, low_freq_factor = 1, high_freq_factor = 4;
    std::int64_t original_max_position = 8192;

    bool operator==(const Llama3&) const = default;
  };
  double theta = 10000;
  std::optional<Llama3> llama3;
};

// Version 5 of transformers has rope_parameters {rope_theta, rope_type, ...}; version 4 a top-level
// rope_theta and rope_scaling, null or an object. Version 5 wins over a top-level theta; of two
// objects either might be meant, so that both have to say the same. Defaults go to `notes`.
RopeConfig ReadRope(const ConfigKeys& keys, const std::string& where,
                    std::vector<std::string>& notes);

void RefusePartialRotation(const ConfigKeys& keys);

}  // namespace engine
