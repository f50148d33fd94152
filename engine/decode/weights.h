// SPDX-License-Identifier: Apache-2.0
// weights.h: from the names of a Hugging Face checkpoint to what the ops read.
//
// Projections are [out, in] as stored. A matrix that needs no change is read where its file is
// mapped, if the device can; otherwise it is copied into the arena. What needs one: a misaligned
// tensor, a type change (weight_cache=16bit), several matrices as one (fuse_qkv, ffn=batched),
// preload=pread. Norm weights and biases become f32, which holds every bf16 value.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/model/checkpoint.h"
#include "engine/model/model_config.h"
#include "engine/ops/ops.h"
#include "engine/options.h"

namespace engine {

struct ModelWeights {
  struct Layer {
    ConstView attention_norm, ffn_norm;  // f32 [hidden]
    std::vector<Weight> qkv;             // one, or q, k and v
    Weight o;
    std::vector<Weight> gate_up;  // one, or gate and up
    Weight down;
  };
  Weight embedding, head;
  ConstView final_norm;
  std::vector<Layer> layers;

  std::uint64_t bytes_per_token = 0;  // of weights that a decode step of one row reads
};

// Places and fills the weights. Call once with a Measure, `ops` null, to learn the size, and once
// more after Reserve(). Throws Error(kData) naming the tensor for one that is missing, has another
// shape than the config asks for or a type that is not implemented, and, by the first call, for
// tensors that nothing reads.
ModelWeights PlaceWeights(const Checkpoint& checkpoint, const ModelConfig& config,
                          const EngineOptions& options, bool reads_mapped_files, Memory& memory,
                          Ops* ops);

// Whether it has tensors of both F32 and BF16.
bool IsMixed(const Checkpoint& checkpoint);

// Whether the model's own type is bf16: that of the embedding.
bool IsBf16(const Checkpoint& checkpoint);

}  // namespace engine
