// SPDX-License-Identifier: Apache-2.0
// rope_table.h: cos and sin of every position and pair: f32 [positions, dim / 2].
//
// frequency(i) = theta^(-2i/dim), rescaled as Llama 3.1 does where the config says so; the angle at
// position p is p frequency(i). `fast` takes both in float64 and rounds cos and sin once.
// `hf_exact` takes both as transformers does: the frequency as the f32 reciprocal of an f32 power,
// blended in f32, and the angle as the f32 product; at position 4096 the two angles differ by up to
// 2.5e-4.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/model_config.h"
#include "engine/options.h"

namespace engine {

struct HostRopeTable {
  std::vector<float> cos, sin;
};

std::vector<double> RopeFrequencies(const RopeConfig& rope, std::int64_t dim);

std::vector<float> HfRopeFrequencies(const RopeConfig& rope, std::int64_t dim);

HostRopeTable MakeRopeTable(const RopeConfig& rope, std::int64_t dim, std::int64_t positions,
                            NumericsMode numerics);

}  // namespace engine
