// SPDX-License-Identifier: Apache-2.0
// The folder of a synthetic model: what stands beside the weights.
#include <nlohmann/json.hpp>

#include "engine/model/checkpoint_writer.h"
#include "engine/model/synth.h"
#include "engine/model/tokenizer.h"
#include "perfgate/base/io/atomic_file.h"

namespace engine {
namespace {

using nlohmann::ordered_json;

// In the spelling of transformers 4, which 5 reads too.
ordered_json ConfigOf(const SynthSpec& spec) {
  const ModelConfig& config = spec.config;
  const bool llama = config.family == Family::kLlama;
  ordered_json root = {
      {"architectures", {Name(config.family)}},
      {"model_type", llama ? "llama" : "qwen2"},
      {"hidden_size", config.hidden},
      {"intermediate_size", config.ffn},
      {"num_hidden_layers", config.layers},
      {"num_attention_heads", config.heads},
      {"num_key_value_heads", config.kv_heads},
      {"head_dim", config.head_dim},
      {"vocab_size", config.vocab},
      {"max_position_embeddings", config.max_positions},
      {"hidden_act", "silu"},
      {"rms_norm_eps", config.rms_eps},
      {"rope_theta", config.rope.theta},
      {"rope_scaling", nullptr},
      {"tie_word_embeddings", config.tied && !spec.peaked},
      {"attention_dropout", 0.0},
      {"bos_token_id", nullptr},
      {"eos_token_id", nullptr},
      {"pad_token_id", nullptr},
      {"use_cache", true},
      {"torch_dtype", spec.type == TensorType::kBf16 ? "bfloat16" : "float32"},
  };
  if (llama) {
    root["attention_bias"] = config.o_bias;
    root["mlp_bias"] = false;
  } else {
    root["use_sliding_window"] = false;
  }
  if (const auto& llama3 = config.rope.llama3) {
    root["rope_scaling"] = {{"rope_type", "llama3"},
                            {"factor", llama3->factor},
                            {"low_freq_factor", llama3->low_freq_factor},
                            {"high_freq_factor", llama3->high_freq_factor},
                            {"original_max_position_embeddings", llama3->original_max_position}};
  }
  return root;
}

}  // namespace

void WriteSynth(const SynthSpec& spec, const std::string& folder, ThreadPool& pool, bool replace,
                std::uint64_t shard_bytes) {
  PrepareModelFolder(folder, replace);
  perfgate::write_file_atomically(
      folder + "/generation_config.json",
      ordered_json{{"_from_model_config", true}, {"do_sample", false}}.dump(2) + "\n");
  WriteByteTokenizer(folder, spec.config.vocab);

  const std::map<std::string, std::string> metadata = {{"format", "pt"},
                                                       {"seed", std::to_string(spec.seed)},
                                                       {"peaked", spec.peaked ? "true" : "false"}};
  const auto fill = [&](const TensorToWrite& tensor, std::uint64_t at, std::span<std::byte> out) {
    FillSynth(spec, tensor, at / (Bits(tensor.type) / 8), out, pool);
  };
  WriteCheckpoint(folder, SynthTensors(spec), metadata, fill, shard_bytes);
  perfgate::write_file_atomically(folder + "/config.json", ConfigOf(spec).dump(2) + "\n");
}

}  // namespace engine
