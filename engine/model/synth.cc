// SPDX-License-Identifier: Apache-2.0
#include "engine/model/synth.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/error.h"
#include "engine/hash.h"
#include "kernels/bf16.h"
#include "perfgate/base/text/join.h"

namespace engine {
namespace {

using Shape = std::vector<std::uint64_t>;

std::uint64_t U(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// The finaliser of splitmix64 (Steele, Lea, Flood, 2014).
constexpr std::uint64_t Mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

ModelConfig Make(Family family, std::int64_t hidden, std::int64_t layers, std::int64_t heads,
                 std::int64_t kv_heads, std::int64_t ffn, std::int64_t vocab, bool tied) {
  ModelConfig config;
  config.family = family;
  config.hidden = hidden;
  config.layers = layers;
  config.heads = heads;
  config.kv_heads = kv_heads;
  config.head_dim = hidden / heads;
  config.ffn = ffn;
  config.vocab = vocab;
  config.tied = tied;
  config.qkv_bias = family == Family::kQwen2;
  config.max_positions = 512;
  return config;
}

std::vector<Preset> MakePresets() {
  constexpr Family kLlama = Family::kLlama, kQwen2 = Family::kQwen2;
  std::vector<Preset> presets = {
      {"tiny", "2 layers of 64, vocabulary 256", Make(kLlama, 64, 2, 4, 2, 160, 256, false)},
      {"odd", "hidden 136, head 34, vocabulary 257: every scalar tail",
       Make(kLlama, 136, 3, 4, 2, 257, 257, false)},
      {"gqa7", "14 heads on 2 keys, biases, tied", Make(kQwen2, 224, 2, 14, 2, 608, 320, true)},
      {"qwen0.5b", "the shape of Qwen2.5-0.5B", Make(kQwen2, 896, 24, 14, 2, 4864, 151936, true)},
      {"llama1b", "the shape of Llama-3.2-1B", Make(kLlama, 2048, 16, 32, 8, 8192, 128256, true)},
      {"qwen1.5b", "the shape of Qwen2.5-1.5B", Make(kQwen2, 1536, 28, 12, 2, 8960, 151936, true)},
      {"qwen7b", "the shape of Qwen2.5-7B", Make(kQwen2, 3584, 28, 28, 4, 18944, 152064, false)},
  };
  // Llama's attention_bias: the only way to a bias on o_proj.
  presets[1].config.qkv_bias = presets[1].config.o_bias = true;
  for (const std::size_t i : {3, 5, 6}) {
    presets[i].config.rope.theta = 1e6;
    presets[i].config.max_positions = 32768;
  }
  presets[4].config.rope.theta = 5e5;
  presets[4].config.rope.llama3 = RopeConfig::Llama3{32, 1, 4, 8192};
  presets[4].config.rms_eps = 1e-5;
  presets[4].config.max_positions = 131072;
  return presets;
}

// What the elements of a tensor are made of.
struct Recipe {
  std::uint64_t stream = 0;
  float offset = 0, scale = 1;
  std::uint64_t columns = 0;  // peaked lm_head: of a row; 0 for every other tensor
};

bool EndsWith(const std::string& name, std::string_view end) { return name.ends_with(end); }

Recipe RecipeOf(const SynthSpec& spec, const TensorToWrite& tensor) {
  const auto uniform = [](double fan_in) { return static_cast<float>(std::sqrt(3.0 / fan_in)); };
  const std::string& name = tensor.name;
  Recipe recipe{StreamOf(spec.seed, name)};
  if (EndsWith(name, "norm.weight")) {
    recipe.offset = 1;
    recipe.scale = 0.1F;
  } else if (EndsWith(name, ".bias")) {
    recipe.scale = 0.1F;
  } else if (name == "model.embed_tokens.weight") {
    const bool tied = spec.config.tied && !spec.peaked;
    recipe.scale = uniform(tied ? static_cast<double>(spec.config.hidden) : 1);
  } else if (name == "lm_head.weight" && spec.peaked) {
    recipe.stream = StreamOf(spec.seed, "model.embed_tokens.weight");
    recipe.scale = uniform(static_cast<double>(spec.config.hidden));
    recipe.columns = tensor.shape[1];
  } else {
    recipe.scale = uniform(static_cast<double>(tensor.shape[1]));
    if (EndsWith(name, "o_proj.weight") || EndsWith(name, "down_proj.weight")) {
      const double residual = std::sqrt(2.0 * static_cast<double>(spec.config.layers));
      recipe.scale =
          static_cast<float>(static_cast<double>(recipe.scale) / residual / (spec.peaked ? 4 : 1));
    }
  }
  return recipe;
}

// p(t) = (t * a + b) mod n. One cycle through all n where b is prime to n and a - 1 has every prime
// factor of n, and 4 where n has it (Hull, Dobell, 1962).
struct Permutation {
  std::int64_t n, a, b;
};

Permutation PermutationOf(const SynthSpec& spec) {
  const std::int64_t n = spec.config.vocab;
  const std::uint64_t bits = Mix(StreamOf(spec.seed, "permutation"));
  std::int64_t factors = n % 4 == 0 ? 2 : 1;
  std::int64_t rest = n;
  for (std::int64_t p = 2; rest > 1; ++p) {
    if (rest % p == 0) {
      factors *= p;
    }
    while (rest % p == 0) {
      rest /= p;
    }
  }
  const std::int64_t a = 1 + factors * static_cast<std::int64_t>(bits % U(n / factors));
  std::int64_t b = 1 + static_cast<std::int64_t>((bits >> 32) % U(n));
  while (std::gcd(b, n) != 1) {
    ++b;
  }
  return {n, a, b};
}

// Rows of the embedding by row of the lm_head.
std::vector<std::uint64_t> RowsOf(const SynthSpec& spec) {
  const auto [n, a, b] = PermutationOf(spec);
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(n));
  for (std::int64_t token = 0; token < n; ++token) {
    rows[static_cast<std::size_t>((token * a + b) % n)] = U(token);
  }
  return rows;
}

}  // namespace

const std::vector<Preset>& Presets() {
  static const std::vector<Preset> presets = MakePresets();
  return presets;
}

const Preset& FindPreset(std::string_view name) {
  std::string names;
  for (const Preset& preset : Presets()) {
    if (preset.name == name) {
      return preset;
    }
    perfgate::AppendItem(names, preset.name);
  }
  throw Error(Exit::kUsage, "no preset '" + std::string(name) + "'; there are " + names);
}

float UnitValue(std::uint64_t stream, std::uint64_t index) {
  const std::uint64_t bits = Mix(stream + (index + 1) * 0x9e3779b97f4a7c15U);
  const auto k = static_cast<std::int32_t>(bits >> 41) - (1 << 22);
  return static_cast<float>(2 * k + 1) * 0x1p-23F;
}

std::uint64_t StreamOf(std::uint64_t seed, std::string_view tensor_name) {
  return Mix(Mix(seed) ^ Fnv1a(tensor_name));
}

std::int64_t PeakedSuccessor(const SynthSpec& spec, std::int64_t token) {
  const Permutation p = PermutationOf(spec);
  return (token * p.a + p.b) % p.n;
}

std::vector<TensorToWrite> SynthTensors(const SynthSpec& spec) {
  const ModelConfig& config = spec.config;
  std::vector<TensorToWrite> tensors;
  const auto add = [&](const std::string& name, Shape shape) {
    tensors.push_back({name, spec.type, std::move(shape)});
  };
  const std::uint64_t hidden = U(config.hidden), ffn = U(config.ffn);
  const std::uint64_t q = U(config.q_size()), kv = U(config.kv_size());
  add("model.embed_tokens.weight", {U(config.vocab), hidden});
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    const std::string prefix = "model.layers." + std::to_string(layer) + ".";
    add(prefix + "input_layernorm.weight", {hidden});
    const auto projection = [&](const std::string& name, std::uint64_t out, std::uint64_t in,
                                bool bias) {
      add(prefix + name + ".weight", {out, in});
      if (bias) {
        add(prefix + name + ".bias", {out});
      }
    };
    projection("self_attn.q_proj", q, hidden, config.qkv_bias);
    projection("self_attn.k_proj", kv, hidden, config.qkv_bias);
    projection("self_attn.v_proj", kv, hidden, config.qkv_bias);
    projection("self_attn.o_proj", hidden, q, config.o_bias);
    add(prefix + "post_attention_layernorm.weight", {hidden});
    projection("mlp.gate_proj", ffn, hidden, false);
    projection("mlp.up_proj", ffn, hidden, false);
    projection("mlp.down_proj", hidden, ffn, false);
  }
  add("model.norm.weight", {hidden});
  if (!config.tied || spec.peaked) {
    add("lm_head.weight", {U(config.vocab), hidden});
  }
  return tensors;
}

void FillSynth(const SynthSpec& spec, const TensorToWrite& tensor, std::uint64_t first,
               std::span<std::byte> out, ThreadPool& pool) {
  const Recipe recipe = RecipeOf(spec, tensor);
  const std::vector<std::uint64_t> rows =
      recipe.columns == 0 ? std::vector<std::uint64_t>{} : RowsOf(spec);
  const std::size_t size = static_cast<std::size_t>(Bits(tensor.type) / 8);
  const std::size_t count = out.size() / size;
  const auto value = [&](std::uint64_t index) {
    if (recipe.columns != 0) {
      const std::uint64_t row = rows[static_cast<std::size_t>(index / recipe.columns)];
      index = row * recipe.columns + index % recipe.columns;
    }
    return recipe.offset + recipe.scale * UnitValue(recipe.stream, index);
  };
  constexpr std::size_t kTask = std::size_t{1} << 16;
  pool.For(static_cast<std::int64_t>((count + kTask - 1) / kTask), [&](std::int64_t task) {
    const std::size_t begin = static_cast<std::size_t>(task) * kTask;
    for (std::size_t i = begin; i < std::min(count, begin + kTask); ++i) {
      const float number = value(first + i);
      if (tensor.type == TensorType::kBf16) {
        const kernels::Bf16 rounded = kernels::ToBf16(number);
        std::memcpy(&out[i * size], &rounded, size);
      } else {
        std::memcpy(&out[i * size], &number, size);
      }
    }
  });
}

}  // namespace engine
