// SPDX-License-Identifier: Apache-2.0
// decoder.h: the transformer, written once for prompts and generation, one sequence and several.
//
// A step feeds M rows: (token, position, sequence). A prompt is rows of one sequence at consecutive
// positions; a generation step of a batch is one row of each sequence. Both run the same code:
//
//   x = embedding[token]
//   per layer:  q, k, v = qkv(norm(x)); rotate q and k; append k and v to the cache
//               x += o(attention(q, cache));  x += down(silu(gate(norm(x))) up(norm(x)))
//   logits = head(norm(x)) of the last rows
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/decode/weights.h"
#include "engine/model/model_config.h"
#include "engine/ops/ops.h"
#include "engine/options.h"

namespace engine {

// Upper bounds of what a decoder is asked.
struct DecoderSizes {
  std::int64_t batch = 1;       // sequences
  std::int64_t capacity = 1;    // positions of each
  std::int64_t rows = 1;        // of a step
  std::int64_t logit_rows = 1;  // of a step
};

struct RowInput {
  std::int32_t token = 0, position = 0, sequence = 0;
};

// Activations, cache and what belongs to rows, in device memory.
struct DecoderBuffers {
  std::vector<KvLayer> cache;
  std::int32_t* row_info = nullptr;  // tokens, positions, sequences: [3, rows]; Delivery::turn
  std::uint8_t* ok = nullptr;        // [logit_rows], and so the next two
  Sampling* sampling = nullptr;
  Uncertainty* uncertainty = nullptr;
  Drawn* drawn = nullptr;  // [2, logit_rows], readable by the host
  float* cos = nullptr;    // [capacity, dim / 2]
  float* sin = nullptr;
  // [rows, ...]: the residual stream; its norm; q, k, v; attention; what o and down give; gate and
  // up; their product
  float *x = nullptr, *norm = nullptr, *qkv = nullptr, *attention = nullptr, *product = nullptr,
        *gate_up = nullptr, *ffn = nullptr;
  float* logits = nullptr;  // [logit_rows, vocab]
};

// cache: the type of keys and values, f32 or bf16. Once with a Measure, once with the ops.
DecoderBuffers PlaceBuffers(const ModelConfig& config, const DecoderSizes& sizes, DType cache,
                            Memory& memory);

class Decoder {
 public:
  // What is referred to outlives the decoder.
  Decoder(const ModelConfig& config, const ModelWeights& weights, Ops& ops,
          const DecoderSizes& sizes, const DecoderBuffers& buffers, NumericsMode numerics);

  const DecoderSizes& sizes() const { return sizes_; }

  // Puts rows in place for the next step, and how to draw from their logits. The device then writes
  // what steps draw to slot 0, 1, 0 ... in turn.
  void Place(std::span<const RowInput> rows);
  void Place(std::span<const Sampling> how);

  // Feeds the rows that are in place; then logits() has those of the last key.logit_rows of them. A
  // row comes after those of lower positions in its sequence, or with them in one step. A step that
  // draws a token for each of its rows puts the rows of the next step in place: the same sequences,
  // each with its token. Allocates nothing itself. Throws std::logic_error for what exceeds the
  // sizes.
  void Run(const StepKey& key);

  // What a step drew, once Ops::Await(slot) has returned.
  std::span<const Drawn> drawn(int slot) const;

  // Device memory, valid until the next step.
  Rows logits() const { return logits_; }

 private:
  void Layer(const ModelWeights::Layer& layer, const KvLayer& cache, const RowInfo& info,
             const StepKey& key, bool fused);
  void DrawTokens(const StepKey& key);

  const ModelConfig& config_;
  const ModelWeights& weights_;
  Ops& ops_;
  const DecoderSizes sizes_;
  const DecoderBuffers buffers_;
  const AttentionShape shape_;
  const RopeTable rope_;
  const float eps_;
  std::vector<std::int32_t> staging_;  // host side of row_info
  Rows logits_;
};

}  // namespace engine
