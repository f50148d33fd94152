// SPDX-License-Identifier: Apache-2.0
// synth.h: models made of numbers that are a function of (seed, tensor name, index).
//
// The same on every machine: integers become dyadic fractions, scales come from sqrt, everything is
// rounded once to float and once to bf16; no other library function is involved. The folder is one
// that transformers loads as it is.
//
//   projections    uniform in +- sqrt(3 / fan_in), so that variance is kept; those that add to the
//                  residual stream (o_proj, down_proj) times 1 / sqrt(2 layers)
//   embedding      uniform in +- sqrt(3), or +- sqrt(3 / hidden) where it is the lm_head as well
//   norm weights   1 +- 0.1; biases +- 0.1
//
// Random weights give nearly tied logits, so greedy text is noise that the last bit decides.
// `peaked` unties the lm_head and makes row p(t) of it the embedding of t / sqrt(hidden), where p
// is a cycle through the whole vocabulary, with residual outputs scaled by another 1/4: after token
// t the argmax is p(t), by a wide margin.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/checkpoint_writer.h"
#include "engine/model/model_config.h"
#include "engine/model/safetensors.h"
#include "engine/thread_pool.h"

namespace engine {

struct Preset {
  std::string_view name;
  std::string_view help;
  ModelConfig config;
};

// tiny, odd (sizes that leave a scalar tail everywhere), gqa7 (seven heads share a key), and the
// shapes qwen0.5b, llama1b, qwen1.5b, qwen7b.
const std::vector<Preset>& Presets();

// Throws Error(kUsage) listing the names.
const Preset& FindPreset(std::string_view name);

struct SynthSpec {
  ModelConfig config;
  TensorType type = TensorType::kBf16;  // or kF32
  std::uint64_t seed = 1;
  bool peaked = false;
};

// Value `index` of a stream: an odd multiple of 2^-23 in (-1, 1).
float UnitValue(std::uint64_t stream, std::uint64_t index);
std::uint64_t StreamOf(std::uint64_t seed, std::string_view tensor_name);

// p(t) of `peaked`.
std::int64_t PeakedSuccessor(const SynthSpec& spec, std::int64_t token);

// Every tensor of the model, as transformers names them.
std::vector<TensorToWrite> SynthTensors(const SynthSpec& spec);

// Elements [first, first + count) of a tensor, in spec.type.
void FillSynth(const SynthSpec& spec, const TensorToWrite& tensor, std::uint64_t first,
               std::span<std::byte> out, ThreadPool& pool);

// Writes config.json, generation_config.json, a byte-level tokenizer and the weights, with
// `shard_bytes` per file, config.json last. Creates the folder; `replace`: as PrepareModelFolder.
// Throws Error.
void WriteSynth(const SynthSpec& spec, const std::string& folder, ThreadPool& pool,
                bool replace = false, std::uint64_t shard_bytes = kShardBytes);

}  // namespace engine
