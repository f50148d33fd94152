// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/decoder.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "engine/index.h"
#include "engine/model/rope_table.h"

namespace engine {
namespace {

AttentionShape ShapeOf(const ModelConfig& config, const DecoderSizes& sizes) {
  return {config.heads,    config.kv_heads,
          config.head_dim, sizes.batch,
          sizes.capacity,  static_cast<float>(1 / std::sqrt(static_cast<double>(config.head_dim)))};
}

RopeTable TableOf(const ModelConfig& config, const DecoderSizes& sizes,
                  const DecoderBuffers& buffers) {
  const std::size_t count = Index(sizes.capacity * config.head_dim / 2);
  return {{buffers.cos, count, DType::kF32}, {buffers.sin, count, DType::kF32}};
}

}  // namespace

DecoderBuffers PlaceBuffers(const ModelConfig& config, const DecoderSizes& sizes, DType cache,
                            Memory& memory) {
  const auto take = [&memory]<class T>(T*& pointer, std::int64_t count) {
    pointer = reinterpret_cast<T*>(memory.Take(Index(count) * sizeof(T)));
  };
  DecoderBuffers b;
  const std::size_t cache_count = Index(sizes.batch * sizes.capacity * config.kv_size());
  const std::size_t cache_bytes = cache_count * kernels::ByteSize(cache);
  for (std::int64_t i = 0; i < config.layers; ++i) {
    const View k{memory.Take(cache_bytes), cache_count, cache};
    const View v{memory.Take(cache_bytes), cache_count, cache};
    b.cache.push_back({k, v});
  }
  take(b.row_info, 3 * sizes.rows + 1);
  take(b.ok, sizes.logit_rows);
  take(b.sampling, sizes.logit_rows);
  take(b.uncertainty, sizes.logit_rows);
  take(b.cos, sizes.capacity * config.head_dim / 2);
  take(b.sin, sizes.capacity * config.head_dim / 2);
  take(b.x, sizes.rows * config.hidden);
  take(b.norm, sizes.rows * config.hidden);
  take(b.qkv, sizes.rows * config.qkv_size());
  take(b.attention, sizes.rows * config.q_size());
  take(b.product, sizes.rows * config.hidden);
  take(b.gate_up, sizes.rows * 2 * config.ffn);
  take(b.ffn, sizes.rows * config.ffn);
  take(b.logits, sizes.logit_rows * config.vocab);
  b.drawn = reinterpret_cast<Drawn*>(memory.TakeHost(Index(2 * sizes.logit_rows) * sizeof(Drawn)));
  return b;
}

Decoder::Decoder(const ModelConfig& config, const ModelWeights& weights, Ops& ops,
                 const DecoderSizes& sizes, const DecoderBuffers& buffers, NumericsMode numerics)
    : config_(config),
      weights_(weights),
      ops_(ops),
      sizes_(sizes),
      buffers_(buffers),
      shape_(ShapeOf(config, sizes)),
      rope_(TableOf(config, sizes, buffers)),
      eps_(static_cast<float>(config.rms_eps)),
      staging_(Index(3 * sizes.rows + 1)) {
  const HostRopeTable table = MakeRopeTable(config.rope, config.head_dim, sizes.capacity, numerics);
  ops_.Upload(buffers_.cos, table.cos.data(), table.cos.size() * sizeof(float));
  ops_.Upload(buffers_.sin, table.sin.data(), table.sin.size() * sizeof(float));
}

void Decoder::Layer(const ModelWeights::Layer& layer, const KvLayer& cache, const RowInfo& info,
                    const StepKey& key, bool fused) {
  const std::int64_t rows = key.rows;
  const Rows x{buffers_.x, rows, config_.hidden};
  const Rows norm{buffers_.norm, rows, config_.hidden};
  const Rows product{buffers_.product, rows, config_.hidden};
  const Rows qkv{buffers_.qkv, rows, config_.qkv_size()};
  const Rows attention{buffers_.attention, rows, config_.q_size()};
  const Rows gate_up{buffers_.gate_up, rows, 2 * config_.ffn};
  const Rows ffn{buffers_.ffn, rows, config_.ffn};
  ops_.BeginStage(OpStage::kQkv);
  ops_.NormLinear(x, layer.attention_norm, eps_, layer.qkv, norm, qkv);
  if (fused) {
    ops_.BeginStage(OpStage::kRopeAttention);
    ops_.RopeAttend(shape_, rope_, info, qkv, cache, key.length, attention);
  } else {
    ops_.BeginStage(OpStage::kRope);
    ops_.RopeAppendKv(shape_, rope_, info, qkv, cache);
    ops_.BeginStage(OpStage::kAttention);
    ops_.Attend(shape_, info, qkv, cache, key.length, attention);
  }
  ops_.BeginStage(OpStage::kOut);
  ops_.LinearResidual(attention, layer.o, product, x);
  ops_.BeginStage(OpStage::kGateUp);
  ops_.NormGateUpSilu(x, layer.ffn_norm, eps_, layer.gate_up, norm, gate_up, ffn);
  ops_.BeginStage(OpStage::kDown);
  ops_.LinearResidual(ffn, layer.down, product, x);
}

void Decoder::Place(std::span<const RowInput> rows) {
  const auto at = [&](std::int64_t part, std::size_t row) -> std::int32_t& {
    return staging_[Index(part * sizes_.rows) + row];
  };
  if (rows.size() > Index(sizes_.rows)) {
    throw std::logic_error("decoder: " + std::to_string(rows.size()) + " rows exceed its buffers");
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [token, position, sequence] = rows[i];
    if (token < 0 || token >= config_.vocab || position < 0 || position >= sizes_.capacity ||
        sequence < 0 || sequence >= sizes_.batch) {
      throw std::logic_error("decoder: token " + std::to_string(token) + ", position " +
                             std::to_string(position) + " or sequence " + std::to_string(sequence) +
                             " is out of range");
    }
    at(0, i) = token;
    at(1, i) = position;
    at(2, i) = sequence;
  }
  staging_.back() = 0;  // the slot
  ops_.Upload(buffers_.row_info, staging_.data(), staging_.size() * sizeof(std::int32_t));
}

void Decoder::Place(std::span<const Sampling> how) {
  if (how.size() > Index(sizes_.logit_rows)) {
    throw std::logic_error("decoder: " + std::to_string(how.size()) + " draws exceed its buffers");
  }
  ops_.Upload(buffers_.sampling, how.data(), how.size_bytes());
}

void Decoder::Run(const StepKey& key) {
  if (key.rows < 1 || key.rows > sizes_.rows ||
      key.logit_rows > std::min(key.rows, sizes_.logit_rows) || key.length > sizes_.capacity) {
    throw std::logic_error("decoder: a step of " + std::to_string(key.rows) +
                           " rows and logits of " + std::to_string(key.logit_rows) +
                           " exceeds its buffers");
  }
  std::int32_t* const tokens = buffers_.row_info;
  const RowInfo info{tokens, tokens + sizes_.rows, tokens + 2 * sizes_.rows};
  logits_ = {buffers_.logits, key.logit_rows, config_.vocab};
  if (ops_.BeginStep(key)) {
    const bool fused = ops_.FusesRopeAttend(shape_, buffers_.cache[0], key.rows, key.length);
    const Rows x{buffers_.x, key.rows, config_.hidden};
    ops_.BeginStage(OpStage::kEmbed);
    ops_.Embed(weights_.embedding, info, x);
    for (std::size_t i = 0; i < weights_.layers.size(); ++i) {
      Layer(weights_.layers[i], buffers_.cache[i], info, key, fused);
    }
    if (key.logit_rows > 0) {
      const Rows norm{buffers_.norm, key.logit_rows, config_.hidden};
      ops_.BeginStage(OpStage::kHead);
      ops_.NormLinear(x.Last(key.logit_rows), weights_.final_norm, eps_, {&weights_.head, 1}, norm,
                      logits_);
    }
    if (key.draw != Draw::kNone) {
      ops_.BeginStage(OpStage::kSample);
      DrawTokens(key);
    }
  }
  ops_.EndStep();
}

// To where the next step reads them.
void Decoder::DrawTokens(const StepKey& key) {
  std::int32_t* const tokens = buffers_.row_info;
  const bool greedy = key.draw == Draw::kGreedy;
  if (greedy) {
    ops_.Argmax(logits_, tokens, buffers_.ok);
  } else {
    ops_.Sample(logits_, buffers_.sampling, tokens, buffers_.ok);
  }
  if (key.measured) {
    ops_.MeasureUncertainty(logits_, tokens, buffers_.uncertainty);
  }
  ops_.Deliver({.rows = key.logit_rows,
                .ids = tokens,
                .ok = buffers_.ok,
                .uncertainty = key.measured ? buffers_.uncertainty : nullptr,
                .positions = tokens + sizes_.rows,
                .sampling = greedy ? nullptr : buffers_.sampling,
                .turn = tokens + 3 * sizes_.rows,
                .to = buffers_.drawn,
                .capacity = sizes_.logit_rows});
}

std::span<const Drawn> Decoder::drawn(int slot) const {
  return {buffers_.drawn + slot * sizes_.logit_rows, Index(logits_.rows)};
}

}  // namespace engine
