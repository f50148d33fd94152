// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "engine/error.h"
#include "engine/model/text_file.h"

namespace engine {
namespace {

using nlohmann::json;

// No size in a config is larger; products of two stay far inside 64 bits.
constexpr std::int64_t kMaxSize = std::int64_t{1} << 24;
// The largest head that the attention kernels take.
constexpr std::int64_t kMaxHeadDim = 256;

// Typed access to one object of the file; every complaint names file and key.
class Keys {
 public:
  Keys(const json& object, std::string where) : object_(object), where_(std::move(where)) {}

  [[noreturn]] void Fail(const std::string& key, const std::string& what) const {
    throw Error(Exit::kData, where_ + ": " + key + " " + what);
  }

  // Nullptr for a key that is missing or null.
  const json* Find(const std::string& key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }

  std::int64_t Size(const std::string& key) const {
    const json* const value = Find(key);
    if (value == nullptr) {
      Fail(key, "is missing");
    }
    if (!value->is_number_integer() || *value < 1 || *value > kMaxSize) {
      Fail(key,
           "is " + value->dump() + ", expected an integer from 1 to " + std::to_string(kMaxSize));
    }
    return value->get<std::int64_t>();
  }

  std::int64_t Size(const std::string& key, std::int64_t otherwise) const {
    return Find(key) == nullptr ? otherwise : Size(key);
  }

  double Positive(const std::string& key) const {
    const json* const value = Find(key);
    if (value == nullptr) {
      Fail(key, "is missing");
    }
    if (!value->is_number() || !(value->get<double>() > 0)) {
      Fail(key, "is " + value->dump() + ", expected a number above 0");
    }
    return value->get<double>();
  }

  double Between(const std::string& key, double least, double most) const {
    const double value = Positive(key);
    if (!(value >= least && value <= most)) {
      Fail(key, "is " + Find(key)->dump() + ", expected a number from " + json(least).dump() +
                    " to " + json(most).dump());
    }
    return value;
  }

  bool Flag(const std::string& key, bool otherwise = false) const {
    const json* const value = Find(key);
    if (value == nullptr) {
      return otherwise;
    }
    if (!value->is_boolean()) {
      Fail(key, "is " + value->dump() + ", expected true or false");
    }
    return value->get<bool>();
  }

  std::string Text(const std::string& key) const {
    const json* const value = Find(key);
    if (value == nullptr) {
      return "";
    }
    if (!value->is_string()) {
      Fail(key, "is " + value->dump() + ", expected text");
    }
    return value->get<std::string>();
  }

 private:
  const json& object_;
  std::string where_;
};

Family ReadFamily(const Keys& keys) {
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

void CheckType(const Keys& keys, Family family) {
  const std::string type = keys.Text("model_type");
  const std::string expected = family == Family::kLlama ? "llama" : "qwen2";
  if (!type.empty() && type != expected) {
    keys.Fail("model_type", "is \"" + type + "\", but architectures has " +
                                std::string(Name(family)) + ", whose type is \"" + expected + "\"");
  }
}

void RefuseWhatIsNotImplemented(const Keys& keys) {
  if (keys.Flag("use_sliding_window")) {
    keys.Fail("use_sliding_window", "is true: sliding windows are not implemented");
  }
  if (keys.Flag("mlp_bias")) {
    keys.Fail("mlp_bias", "is true: biases in the feed-forward layers are not implemented");
  }
  if (const std::string act = keys.Text("hidden_act"); !act.empty() && act != "silu") {
    keys.Fail("hidden_act", "is \"" + act + "\", expected \"silu\"");
  }
  if (keys.Find("partial_rotary_factor") != nullptr &&
      keys.Positive("partial_rotary_factor") != 1) {
    keys.Fail("partial_rotary_factor", "is not 1: partial rotation is not implemented");
  }
  if (const json* const types = keys.Find("layer_types")) {
    const bool all_full =
        types->is_array() && std::all_of(types->begin(), types->end(),
                                         [](const json& t) { return t == "full_attention"; });
    if (!all_full) {
      keys.Fail("layer_types", "has an entry other than \"full_attention\"");
    }
  }
}

bool ReadQuantization(const Keys& keys, const std::string& where) {
  const json* const value = keys.Find("quantization_config");
  if (value == nullptr) {
    return false;
  }
  if (!value->is_object()) {
    keys.Fail("quantization_config", "is not an object");
  }
  const Keys inner(*value, where + ": quantization_config");
  const std::string method = inner.Text("quant_method");
  if (method != "perfgate_mxfp4") {
    inner.Fail("quant_method", "is \"" + method +
                                   "\"; only \"perfgate_mxfp4\", which `engine quantize` writes, "
                                   "is implemented");
  }
  return true;
}

// Far beyond any model: 500000 and 1e6 are thetas of today, 32 is a factor.
constexpr double kMaxTheta = 1e12, kMaxFactor = 65536;

RopeConfig::Llama3 ReadLlama3(const Keys& keys) {
  RopeConfig::Llama3 scaling;
  scaling.factor = keys.Between("factor", 1, kMaxFactor);
  scaling.low_freq_factor = keys.Between("low_freq_factor", 1 / kMaxFactor, kMaxFactor);
  scaling.high_freq_factor = keys.Between("high_freq_factor", 1 / kMaxFactor, kMaxFactor);
  scaling.original_max_position = keys.Size("original_max_position_embeddings");
  if (scaling.high_freq_factor <= scaling.low_freq_factor) {
    keys.Fail("high_freq_factor", "is not above low_freq_factor");
  }
  return scaling;
}

// What is called rope_parameters (version 5) or rope_scaling (version 4), which is `object`, and
// beside it a rope_theta in `keys`.
RopeConfig ReadRopeObject(const Keys& keys, const std::string& name, const json& object,
                          const std::string& where, std::vector<std::string>& notes) {
  RopeConfig rope;
  if (!object.is_object()) {
    keys.Fail(name, "is not an object");
  }
  const Keys inner(object, where + ": " + name);
  if (inner.Find("rope_theta") != nullptr) {
    rope.theta = inner.Between("rope_theta", 1, kMaxTheta);
  } else if (keys.Find("rope_theta") != nullptr) {
    rope.theta = keys.Between("rope_theta", 1, kMaxTheta);
  } else {
    notes.push_back("rope_theta is not given: 10000");
  }
  const std::string key = inner.Find("rope_type") != nullptr ? "rope_type" : "type";
  const std::string type = inner.Text(key);
  if (type == "llama3") {
    rope.llama3 = ReadLlama3(inner);
  } else if (type.empty() && name == "rope_scaling" && !object.empty()) {
    inner.Fail("rope_type", "is missing");
  } else if (!type.empty() && type != "default") {
    inner.Fail(key, "is \"" + type + "\", expected \"default\" or \"llama3\"");
  }
  if (inner.Find("partial_rotary_factor") != nullptr &&
      inner.Positive("partial_rotary_factor") != 1) {
    inner.Fail("partial_rotary_factor", "is not 1: partial rotation is not implemented");
  }
  for (const char* nested : {"full_attention", "sliding_attention"}) {
    if (inner.Find(nested) != nullptr) {
      inner.Fail(nested, "is there: rotation that differs by layer is not implemented");
    }
  }
  return rope;
}

// Version 5 has rope_parameters {rope_theta, rope_type, ...}; version 4 a top-level rope_theta and
// rope_scaling, null or an object. Version 5 wins over a top-level theta; of two objects either
// might be meant.
RopeConfig ReadRope(const Keys& keys, const std::string& where, std::vector<std::string>& notes) {
  static const json kNone = json::object();
  const json* const v5 = keys.Find("rope_parameters");
  const json* const v4 = keys.Find("rope_scaling");
  const auto read = [&](const char* name, const json* object) {
    return ReadRopeObject(keys, name, object == nullptr ? kNone : *object, where, notes);
  };
  if (v5 == nullptr) {
    return read("rope_scaling", v4);
  }
  const RopeConfig rope = read("rope_parameters", v5);
  if (v4 != nullptr) {
    const RopeConfig other = read("rope_scaling", v4);
    const bool own_theta = Keys(*v4, where).Find("rope_theta") != nullptr;
    if (rope.llama3 != other.llama3 || (own_theta && rope.theta != other.theta)) {
      keys.Fail("rope_parameters", "differs from rope_scaling: remove the one that is not meant");
    }
  }
  return rope;
}

// One id, several, or none.
std::vector<std::int32_t> ReadEos(const Keys& keys, std::int64_t vocab) {
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

void CheckHeads(const ModelConfig& config, const Keys& keys) {
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
    throw Error(Exit::kData, where + ": not a JSON object");
  }
  const Keys keys(root, where);
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
      throw Error(Exit::kData, generation + ": not a JSON object");
    }
    if (const auto ids = ReadEos(Keys(root, generation), config.vocab); !ids.empty()) {
      config.eos = ids;
    }
  }
  return config;
}

}  // namespace engine
