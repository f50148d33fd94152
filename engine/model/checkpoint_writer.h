// SPDX-License-Identifier: Apache-2.0
// checkpoint_writer.h: the weights of a model folder, in one safetensors file or, when they are
// large, in several with an index.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/model/safetensors.h"

namespace engine {

// Bytes of a file at most, unless one tensor is larger.
inline constexpr std::uint64_t kShardBytes = std::uint64_t{4} << 30;

// Creates the folder. Weights (model*.safetensors*) that are there are refused, or with `replace`
// removed, config.json first: of two sets of weights a loader would take either, and a folder
// without config.json is no model, whatever interrupts the writing. Throws Error(kData); kUsage for
// what is refused.
void PrepareModelFolder(const std::string& folder, bool replace);

void WriteCheckpoint(const std::string& folder, const std::vector<TensorToWrite>& tensors,
                     const std::map<std::string, std::string>& metadata, const TensorBytes& bytes,
                     std::uint64_t shard_bytes = kShardBytes);

}  // namespace engine
