// SPDX-License-Identifier: Apache-2.0
#include "engine/decoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "engine/rope_table.h"

namespace engine {
namespace {

std::size_t Z(std::int64_t value) { return static_cast<std::size_t>(value); }

// Of ids and ok of so many rows.
std::int64_t DrawnWords(std::int64_t rows) { return rows + (rows + 3) / 4; }

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
  take(b.row_info, 3 * sizes.rows);
  take(b.ids, DrawnWords(sizes.logit_rows));
  if (b.ids != nullptr) {
    b.ok = reinterpret_cast<std::uint8_t*>(b.ids + sizes.logit_rows);
  }
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
      staging_(Z(3 * sizes.rows)),
      drawn_(Z(DrawnWords(sizes.logit_rows))) {
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

void Decoder::Step(std::span<const RowInput> rows, std::int64_t logit_rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  if (count < 1 || count > sizes_.rows || logit_rows > std::min(count, sizes_.logit_rows)) {
    throw std::logic_error("decoder: a step of " + std::to_string(count) + " rows and logits of " +
                           std::to_string(logit_rows) + " exceeds its buffers");
  }
  std::int32_t last = 0;
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
    last = std::max(last, position);
  }
  ops_.Upload(buffers_.row_info, staging_.data(), staging_.size() * sizeof(std::int32_t));
  const RowInfo info{buffers_.row_info, buffers_.row_info + sizes_.rows,
                     buffers_.row_info + 2 * sizes_.rows};
  logits_ = {buffers_.logits, logit_rows, config_.vocab};
  if (ops_.BeginStep({count, logit_rows, last + 1})) {
    const Rows x{buffers_.x, count, config_.hidden};
    ops_.Embed(weights_.embedding, info, x);
    for (std::size_t i = 0; i < weights_.layers.size(); ++i) {
      Layer(weights_.layers[i], buffers_.cache[i], info, count, last + 1);
    }
    if (logit_rows > 0) {
      const Rows norm{buffers_.norm, logit_rows, config_.hidden};
      ops_.NormLinear(x.Last(logit_rows), weights_.final_norm, eps_, {&weights_.head, 1}, norm,
                      logits_);
    }
  }
  ops_.EndStep();
}

void Decoder::Sample(std::span<const Sampling> how, std::span<std::int32_t> ids,
                     std::span<std::uint8_t> ok) {
  const bool greedy =
      std::all_of(how.begin(), how.end(), [](const Sampling& s) { return s.temperature == 0; });
  if (greedy) {
    ops_.Argmax(logits_, buffers_.ids, buffers_.ok);
  } else {
    ops_.Upload(buffers_.sampling, how.data(), how.size_bytes());
    ops_.Sample(logits_, buffers_.sampling, buffers_.ids, buffers_.ok);
  }
  const std::size_t offset = Z(sizes_.logit_rows) * sizeof(std::int32_t);
  ops_.Download(drawn_.data(), buffers_.ids, offset + ids.size());
  std::memcpy(ids.data(), drawn_.data(), ids.size_bytes());
  std::memcpy(ok.data(), std::as_bytes(std::span(drawn_)).data() + offset, ok.size_bytes());
}

void Decoder::Measure(std::span<Uncertainty> out) {
  ops_.MeasureUncertainty(logits_, buffers_.ids, buffers_.uncertainty);
  ops_.Download(out.data(), buffers_.uncertainty, out.size_bytes());
}

}  // namespace engine
