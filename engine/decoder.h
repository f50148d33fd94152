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

#include "engine/model_config.h"
#include "engine/ops.h"
#include "engine/options.h"
#include "engine/weights.h"

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
  std::int32_t* row_info = nullptr;  // tokens, positions, sequences: [3, rows]
  std::int32_t* ids = nullptr;       // [logit_rows]
  std::uint8_t* ok = nullptr;        // [logit_rows], right behind ids: one transfer takes both
  Sampling* sampling = nullptr;      // [logit_rows]
  Uncertainty* uncertainty = nullptr;
  float* cos = nullptr;  // [capacity, dim / 2]
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

  // Feeds the rows; then logits() has those of the last `logit_rows` of them, 0 for none. A row
  // comes after those of lower positions in its sequence, or with them in one step. Allocates
  // nothing itself. Throws std::logic_error for what exceeds the sizes.
  void Step(std::span<const RowInput> rows, std::int64_t logit_rows);

  // Device memory, valid until the next step.
  Rows logits() const { return logits_; }

  // Draws a token from each row of logits, as how[row] says. ok[row], where asked for: 0 for a row
  // of NaN, whose id means nothing.
  void Sample(std::span<const Sampling> how, std::span<std::int32_t> ids,
              std::span<std::uint8_t> ok = {});
  // Of the ids that Sample drew last.
  void Measure(std::span<Uncertainty> out);

 private:
  void Layer(const ModelWeights::Layer& layer, const KvLayer& cache, const RowInfo& info,
             std::int64_t rows, std::int64_t length);

  const ModelConfig& config_;
  const ModelWeights& weights_;
  Ops& ops_;
  const DecoderSizes sizes_;
  const DecoderBuffers buffers_;
  const AttentionShape shape_;
  const RopeTable rope_;
  const float eps_;
  std::vector<std::int32_t> staging_;  // host side of row_info
  std::vector<std::int32_t> drawn_;    // host side of ids and ok
  Rows logits_;
};

}  // namespace engine
