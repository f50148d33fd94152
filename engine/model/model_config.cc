// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_config.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "engine/error.h"
#include "engine/model/config_keys.h"
#include "engine/model/text_file.h"

namespace engine {
namespace {

using nlohmann::json;

// The largest head that the attention kernels take.
constexpr std::int64_t kMaxHeadDim = 256;

Family ReadFamily(const ConfigKeys& keys) {
  const json* const names = keys.Find("architectures");
  if (names == nullptr || !names->is_array() || names->size() != 1 || !(*names)[0].is_string()) {
    keys.Fail("architectures", "is not an array of one name");
  }
  for (const Family family : {Family::kLlama, Family::kQwen2}) {
    if ((*names)[0] == Name(family)) {
      return family;
    }
  }
  keys.Fail("architectures",
            "has " + (*names)[0].dump() + ", expected LlamaForCausalLM or Qwen2ForCausalLM");
}

void CheckType(const ConfigKeys& keys, Family family) {
  const std::string type = keys.Text("model_type");
  const std::string expected = family == Family::kLlama ? "llama" : "qwen2";
  if (!type.empty() && type != expected) {
    keys.Fail("model_type", "is \"" + type + "\", but architectures has " +
                                std::string(Name(family)) + ", whose type is \"" + expected + "\"");
  }
}

void RefuseWhatIsNotImplemented(const ConfigKeys& keys) {
  if (keys.Flag("use_sliding_window")) {
    keys.Fail("use_sliding_window", "is true: sliding windows are not implemented");
  }
  if (keys.Flag("mlp_bias")) {
    keys.Fail("mlp_bias", "is true: biases in the feed-forward layers are not implemented");
  }
  if (const std::string act = keys.Text("hidden_act"); !act.empty() && act != "silu") {
    keys.Fail("hidden_act", "is \"" + act + "\", expected \"silu\"");
  }
  RefusePartialRotation(keys);
  if (const json* const types = keys.Find("layer_types")) {
    const bool all_full =
        types->is_array() && std::all_of(types->begin(), types->end(),
                                         [](const json& t) { return t == "full_attention"; });
    if (!all_full) {
      keys.Fail("layer_types", "has an entry other than \"full_attention\"");
    }
  }
}

bool ReadQuantization(const ConfigKeys& keys, const std::string& where) {
  const json* const value = keys.Find("quantization_config");
  if (value == nullptr) {
    return false;
  }
  if (!value->is_object()) {
    keys.Fail("quantization_config", "is not an object");
  }
  const ConfigKeys inner(*value, where + ": quantization_config");
  const std::string method = inner.Text("quant_method");
  if (method != "perfgate_mxfp4") {
    inner.Fail("quant_method", "is \"" + method +
                                   "\"; only \"perfgate_mxfp4\", which `engine quantize` writes, "
                                   "is implemented");
  }
  return true;
}

// One id, several, or none.
std::vector<std::int32_t> ReadEos(const ConfigKeys& keys, std::int64_t vocab) {
  std::vector<std::int32_t> ids;
  const json* const value = keys.Find("eos_token_id");
  if (value == nullptr) {
    return ids;
  }
  for (const json& id : value->is_array() ? *value : json::array({*value})) {
    if (!id.is_number_integer() || id < 0 || id >= vocab) {
      keys.Fail("eos_token_id", "has " + id.dump() + ", expected ids below vocab_size");
    }
    ids.push_back(id.get<std::int32_t>());
  }
  return ids;
}

void CheckHeads(const ModelConfig& config, const ConfigKeys& keys) {
  if (config.heads % config.kv_heads != 0) {
    keys.Fail("num_attention_heads", "is " + std::to_string(config.heads) +
                                         ", no multiple of num_key_value_heads " +
                                         std::to_string(config.kv_heads));
  }
  if (config.head_dim % 2 != 0 || config.head_dim > kMaxHeadDim) {
    keys.Fail("head_dim", "is " + std::to_string(config.head_dim) +
                              ", expected an even number up to " + std::to_string(kMaxHeadDim));
  }
}

}  // namespace

std::string_view Name(Family family) {
  return family == Family::kLlama ? "LlamaForCausalLM" : "Qwen2ForCausalLM";
}

std::int64_t ModelConfig::parameters() const {
  const std::int64_t attention =
      hidden * qkv_size() + q_size() * hidden + (qkv_bias ? qkv_size() : 0) + (o_bias ? hidden : 0);
  const std::int64_t layer = attention + 3 * hidden * ffn + 2 * hidden;
  return layers * layer + hidden + (tied ? 1 : 2) * vocab * hidden;
}

ModelConfig ParseModelConfig(const json& root, const std::string& where) {
  if (!root.is_object()) {
    FailData(where, "not a JSON object");
  }
  const ConfigKeys keys(root, where);
  ModelConfig config;
  config.family = ReadFamily(keys);
  CheckType(keys, config.family);
  RefuseWhatIsNotImplemented(keys);
  config.mxfp4 = ReadQuantization(keys, where);
  config.hidden = keys.Size("hidden_size");
  config.layers = keys.Size("num_hidden_layers");
  config.heads = keys.Size("num_attention_heads");
  config.kv_heads = keys.Size("num_key_value_heads", config.heads);
  config.ffn = keys.Size("intermediate_size");
  config.vocab = keys.Size("vocab_size");
  config.max_positions = keys.Size("max_position_embeddings", 2048);
  config.head_dim = keys.Size("head_dim", std::max<std::int64_t>(1, config.hidden / config.heads));
  if (keys.Find("head_dim") == nullptr && config.hidden % config.heads != 0) {
    keys.Fail("hidden_size", "is no multiple of num_attention_heads, and head_dim is not given");
  }
  CheckHeads(config, keys);
  if (keys.Find("rms_norm_eps") != nullptr) {
    config.rms_eps = keys.Positive("rms_norm_eps");
  } else {
    config.notes.push_back("rms_norm_eps is not given: 1e-6");
  }
  if (!std::isnormal(static_cast<float>(config.rms_eps))) {
    keys.Fail("rms_norm_eps", "is no normal 32-bit number");
  }
  config.tied = keys.Flag("tie_word_embeddings");
  const bool bias = keys.Flag("attention_bias");
  config.qkv_bias = config.family == Family::kQwen2 || bias;
  config.o_bias = config.family == Family::kLlama && bias;
  config.rope = ReadRope(keys, where, config.notes);
  const std::string dtype = keys.Text("dtype");
  config.dtype = dtype.empty() ? keys.Text("torch_dtype") : dtype;
  config.eos = ReadEos(keys, config.vocab);
  return config;
}

ModelConfig ReadModelConfig(const std::string& folder) {
  const std::string path = folder + "/config.json";
  ModelConfig config = ParseModelConfig(ReadJson(path), path);
  const std::string generation = folder + "/generation_config.json";
  if (std::filesystem::exists(generation)) {
    const json root = ReadJson(generation);
    if (!root.is_object()) {
      FailData(generation, "not a JSON object");
    }
    if (const auto ids = ReadEos(ConfigKeys(root, generation), config.vocab); !ids.empty()) {
      config.eos = ids;
    }
  }
  return config;
}

}  // namespace engine
