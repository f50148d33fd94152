// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/weights.h"

#include <algorithm>
#include <string>

#include "engine/decode/weight_loader.h"

namespace engine {
namespace {

std::uint64_t BytesOf(const Weight& weight) {
  return weight.data.count * ByteSize(weight.data.dtype) + weight.scales.count +
         weight.bias.count * sizeof(float);
}

ModelWeights::Layer PlaceLayer(WeightLoader& loader, const ModelConfig& config,
                               const EngineOptions& options, bool by_default, std::int64_t index) {
  const std::string prefix = "model.layers." + std::to_string(index) + ".";
  const std::string attention = prefix + "self_attn.", mlp = prefix + "mlp.";
  const std::int64_t q = config.q_size(), kv = config.kv_size();
  const auto together = [&](const std::vector<std::string>& names,
                            const std::vector<std::int64_t>& rows, bool bias, bool fused) {
    std::vector<Weight> weights;
    if (fused) {
      weights.push_back(loader.Matrix(names, rows, config.hidden, bias));
      return weights;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      weights.push_back(loader.Matrix({names[i]}, {rows[i]}, config.hidden, bias));
    }
    return weights;
  };
  const bool fuse_qkv =
      options.fuse_qkv == Toggle::kAuto ? by_default : options.fuse_qkv == Toggle::kOn;
  const bool batched = options.ffn == Ffn::kAuto ? by_default : options.ffn == Ffn::kBatched;
  ModelWeights::Layer layer;
  layer.attention_norm = loader.Vector(prefix + "input_layernorm.weight", config.hidden);
  layer.ffn_norm = loader.Vector(prefix + "post_attention_layernorm.weight", config.hidden);
  layer.qkv = together({attention + "q_proj", attention + "k_proj", attention + "v_proj"},
                       {q, kv, kv}, config.qkv_bias, fuse_qkv);
  layer.o = loader.Matrix({attention + "o_proj"}, {config.hidden}, q, config.o_bias);
  layer.gate_up =
      together({mlp + "gate_proj", mlp + "up_proj"}, {config.ffn, config.ffn}, false, batched);
  layer.down = loader.Matrix({mlp + "down_proj"}, {config.hidden}, config.ffn, false);
  return layer;
}

}  // namespace

ModelWeights PlaceWeights(const Checkpoint& checkpoint, const ModelConfig& config,
                          const EngineOptions& options, bool reads_mapped_files, Memory& memory,
                          Ops* ops) {
  WeightLoader loader(checkpoint, config, options, reads_mapped_files, memory, ops);
  // One large product instead of three pays on a device that would launch three times; a CPU would
  // only copy what it can read in place.
  const bool fuse_by_default = !reads_mapped_files;
  ModelWeights weights;
  weights.embedding =
      loader.Matrix({"model.embed_tokens"}, {config.vocab}, config.hidden, false, false);
  weights.head = config.tied ? weights.embedding
                             : loader.Matrix({"lm_head"}, {config.vocab}, config.hidden, false);
  weights.final_norm = loader.Vector("model.norm.weight", config.hidden);
  weights.bytes_per_token = BytesOf(weights.head) + weights.final_norm.count * sizeof(float);
  for (std::int64_t i = 0; i < config.layers; ++i) {
    weights.layers.push_back(PlaceLayer(loader, config, options, fuse_by_default, i));
    const ModelWeights::Layer& layer = weights.layers.back();
    for (const std::vector<Weight>& parts : {layer.qkv, {layer.o}, layer.gate_up, {layer.down}}) {
      for (const Weight& part : parts) {
        weights.bytes_per_token += BytesOf(part);
      }
    }
    weights.bytes_per_token += 2 * layer.ffn_norm.count * sizeof(float);
  }
  if (ops == nullptr) {
    if (config.tied) {
      loader.ReadTiedHead();
    }
    loader.RefuseUnread();
  }
  return weights;
}

bool IsMixed(const Checkpoint& checkpoint) {
  const auto has = [&](TensorType type) {
    return std::ranges::any_of(checkpoint.tensors(),
                               [&](const auto& entry) { return entry.second.info->type == type; });
  };
  return has(TensorType::kF32) && has(TensorType::kBf16);
}

bool IsBf16(const Checkpoint& checkpoint) {
  const Tensor* const embedding = checkpoint.Find("model.embed_tokens.weight");
  return embedding != nullptr && embedding->info->type == TensorType::kBf16;
}

}  // namespace engine
