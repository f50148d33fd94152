// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/decoder.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "engine/model/rope_table.h"

namespace engine {
namespace {

std::size_t Z(std::int64_t value) { return static_cast<std::size_t>(value); }

std::int64_t LengthOf(std::span<const RowInput> rows) {
  std::int32_t last = 0;
  for (const RowInput& row : rows) {
    last = std::max(last, row.position);
  }
  return last + 1;
}

AttentionShape ShapeOf(const ModelConfig& config, const DecoderSizes& sizes) {
  return {config.heads,    config.kv_heads,
          config.head_dim, sizes.batch,
          sizes.capacity,  static_cast<float>(1 / std::sqrt(static_cast<double>(config.head_dim)))};
}

RopeTable TableOf(const ModelConfig& config, const DecoderSizes& sizes,
                  const DecoderBuffers& buffers) {
  const std::size_t count = Z(sizes.capacity * config.head_dim / 2);
  return {{buffers.cos, count, DType::kF32}, {buffers.sin, count, DType::kF32}};
}

}  // namespace

DecoderBuffers PlaceBuffers(const ModelConfig& config, const DecoderSizes& sizes, DType cache,
                            Memory& memory) {
  const auto take = [&memory]<class T>(T*& pointer, std::int64_t count) {
    pointer = reinterpret_cast<T*>(memory.Take(Z(count) * sizeof(T)));
  };
  DecoderBuffers b;
  const std::size_t cache_count = Z(sizes.batch * sizes.capacity * config.kv_size());
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
  b.drawn = reinterpret_cast<Drawn*>(memory.TakeHost(Z(2 * sizes.logit_rows) * sizeof(Drawn)));
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
      staging_(Z(3 * sizes.rows + 1)) {
  const HostRopeTable table = MakeRopeTable(config.rope, config.head_dim, sizes.capacity, numerics);
  ops_.Upload(buffers_.cos, table.cos.data(), table.cos.size() * sizeof(float));
  ops_.Upload(buffers_.sin, table.sin.data(), table.sin.size() * sizeof(float));
}

void Decoder::Layer(const ModelWeights::Layer& layer, const KvLayer& cache, const RowInfo& info,
                    std::int64_t rows, std::int64_t length) {
  const Rows x{buffers_.x, rows, config_.hidden};
  const Rows norm{buffers_.norm, rows, config_.hidden};
  const Rows product{buffers_.product, rows, config_.hidden};
  const Rows qkv{buffers_.qkv, rows, config_.qkv_size()};
  const Rows attention{buffers_.attention, rows, config_.q_size()};
  const Rows gate_up{buffers_.gate_up, rows, 2 * config_.ffn};
  const Rows ffn{buffers_.ffn, rows, config_.ffn};
  ops_.NormLinear(x, layer.attention_norm, eps_, layer.qkv, norm, qkv);
  ops_.RopeAttend(shape_, rope_, info, qkv, cache, length, attention);
  ops_.LinearResidual(attention, layer.o, product, x);
  ops_.NormGateUpSilu(x, layer.ffn_norm, eps_, layer.gate_up, norm, gate_up, ffn);
  ops_.LinearResidual(ffn, layer.down, product, x);
}

void Decoder::CheckRows(std::size_t rows, std::int64_t logit_rows) const {
  const auto count = static_cast<std::int64_t>(rows);
  if (count < 1 || count > sizes_.rows || logit_rows > std::min(count, sizes_.logit_rows)) {
    throw std::logic_error("decoder: a step of " + std::to_string(count) + " rows and logits of " +
                           std::to_string(logit_rows) + " exceeds its buffers");
  }
}

void Decoder::Upload(std::span<const RowInput> rows) {
  const auto at = [&](std::int64_t part, std::size_t row) -> std::int32_t& {
    return staging_[Z(part * sizes_.rows) + row];
  };
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
  staging_.back() = turn_ = to_take_ = 0;
  ops_.Upload(buffers_.row_info, staging_.data(), staging_.size() * sizeof(std::int32_t));
}

void Decoder::Run(const StepKey& key) {
  std::int32_t* const tokens = buffers_.row_info;
  std::int32_t* const positions = tokens + sizes_.rows;
  const RowInfo info{tokens, positions, positions + sizes_.rows};
  last_ = {};  // nothing follows a step that throws
  logits_ = {buffers_.logits, key.logit_rows, config_.vocab};
  if (ops_.BeginStep(key)) {
    const Rows x{buffers_.x, key.rows, config_.hidden};
    ops_.Embed(weights_.embedding, info, x);
    for (std::size_t i = 0; i < weights_.layers.size(); ++i) {
      Layer(weights_.layers[i], buffers_.cache[i], info, key.rows, key.length);
    }
    if (key.logit_rows > 0) {
      const Rows norm{buffers_.norm, key.logit_rows, config_.hidden};
      ops_.NormLinear(x.Last(key.logit_rows), weights_.final_norm, eps_, {&weights_.head, 1}, norm,
                      logits_);
    }
    // Tokens are drawn to where the next step reads them.
    if (key.draw == Draw::kGreedy) {
      ops_.Argmax(logits_, tokens, buffers_.ok);
    } else if (key.draw == Draw::kSampled) {
      ops_.Sample(logits_, buffers_.sampling, tokens, buffers_.ok);
    }
    if (key.draw != Draw::kNone) {
      if (key.measured) {
        ops_.MeasureUncertainty(logits_, tokens, buffers_.uncertainty);
      }
      ops_.Deliver({.rows = key.logit_rows,
                    .ids = tokens,
                    .ok = buffers_.ok,
                    .uncertainty = key.measured ? buffers_.uncertainty : nullptr,
                    .positions = positions,
                    .sampling = key.draw == Draw::kSampled ? buffers_.sampling : nullptr,
                    .turn = tokens + 3 * sizes_.rows,
                    .to = buffers_.drawn,
                    .capacity = sizes_.logit_rows});
    }
  }
  ops_.EndStep();
  if (key.draw != Draw::kNone) {
    ops_.Mark(turn_);
    turn_ = 1 - turn_;
    ++to_take_;
  }
  last_ = key;
}

void Decoder::Step(std::span<const RowInput> rows, std::int64_t logit_rows) {
  CheckRows(rows.size(), logit_rows);
  Upload(rows);
  Run({static_cast<std::int64_t>(rows.size()), logit_rows, LengthOf(rows)});
}

void Decoder::StepAndDraw(std::span<const RowInput> rows, std::span<const Sampling> how,
                          bool measure) {
  const auto logit_rows = static_cast<std::int64_t>(how.size());
  CheckRows(rows.size(), logit_rows);
  const bool greedy =
      std::all_of(how.begin(), how.end(), [](const Sampling& s) { return s.temperature == 0; });
  Upload(rows);
  if (!greedy) {
    ops_.Upload(buffers_.sampling, how.data(), how.size_bytes());
  }
  Run({static_cast<std::int64_t>(rows.size()), logit_rows, LengthOf(rows),
       greedy ? Draw::kGreedy : Draw::kSampled, measure});
}

void Decoder::StepOn() {
  if (last_.draw == Draw::kNone || last_.logit_rows != last_.rows ||
      last_.length == sizes_.capacity || to_take_ > 1) {
    throw std::logic_error("decoder: a step that nothing leads to");
  }
  StepKey key = last_;
  ++key.length;
  Run(key);
}

std::span<const Drawn> Decoder::Take() {
  if (to_take_ == 0) {
    throw std::logic_error("decoder: nothing was drawn");
  }
  const int turn = to_take_ == 1 ? 1 - turn_ : turn_;
  --to_take_;
  ops_.Await(turn);
  return {buffers_.drawn + turn * sizes_.logit_rows, Z(last_.logit_rows)};
}

}  // namespace engine
